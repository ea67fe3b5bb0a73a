//! The parts of `quadtree`.

use std::path::Path;

use typed_pool::Pooled;

use crate::quadtree::heaps::{MimallocHeap, SystemHeap};
use crate::quadtree::options::{self, Command, Options};
use crate::quadtree::race::{self, Collisions};
use crate::quadtree::report;
use crate::quadtree::tree::{Backend, Pool, QuadTreeNode};
use crate::quadtree::world::{self, Point, World};

/// Every pair of bodies, looked at one by one.
fn brute_force(world: &World) -> Collisions {
    let reach = 2.0 * world.radius;
    let mut collisions = Collisions::default();
    for (one, id) in world.bodies.iter().zip(0..) {
        for (other, other_id) in world.bodies.iter().zip(0..id) {
            let [dx, dy] = [0, 1].map(|axis| one.position[axis] - other.position[axis]);
            if dx * dx + dy * dy < reach * reach {
                collisions.add(id, other_id);
            }
        }
    }
    collisions
}

/// What the tree finds is what there is to find, wherever its nodes live, and as the bodies move.
#[track_caller]
fn check(points: &[Point], bodies: u32) -> Collisions {
    let mut world = World::new(points, bodies, 7);
    let first = brute_force(&world);
    for _ in 0..3 {
        let expected = brute_force(&world);
        assert_eq!(race::frame::<Pool>(&world).collisions, expected);
        assert_eq!(race::frame::<SystemHeap>(&world).collisions, expected);
        assert_eq!(race::frame::<MimallocHeap>(&world).collisions, expected);
        world.step();
    }
    first
}

fn random_points(count: usize) -> Vec<Point> {
    let mut rng = fastrand::Rng::with_seed(3);
    (0..count).map(|_| [rng.f64() * 360.0 - 180.0, rng.f64() * 180.0 - 90.0]).collect()
}

mod the_tree {
    use super::*;

    #[test]
    fn finds_the_pairs_of_random_bodies() {
        assert!(check(&random_points(1500), 1500).pairs > 0);
    }

    #[test]
    fn finds_the_pairs_of_cities() {
        assert!(check(&world::cities(), 1500).pairs > 0);
    }

    #[test]
    fn finds_the_pairs_in_dense_clusters() {
        // Closer together than the smallest nodes are wide: leaves overflow at the greatest depth.
        let mut rng = fastrand::Rng::with_seed(5);
        let centers = random_points(10);
        let mut near = |center: f64| center + rng.f64() * 1e-4;
        let points: Vec<Point> =
            centers.iter().cycle().take(1000).map(|center| center.map(&mut near)).collect();
        assert!(check(&points, 1000).pairs >= 10 * (100 * 99 / 2));
    }

    #[test]
    fn finds_the_pairs_of_bodies_that_share_one_spot() {
        assert_eq!(check(&[[12.5, -3.0]], 1000).pairs, 1000 * 999 / 2);
    }

    #[test]
    fn finds_the_pairs_across_the_lines_where_it_splits() {
        let grid: Vec<Point> =
            (0..33 * 33).map(|n| [f64::from(n % 33), f64::from(n / 33)]).collect();
        let mut world = World::new(&grid, 33 * 33, 7);
        let [a, b] = [0, 1].map(|body| world.bodies[body].position[0]);
        for (reach, neighbours) in [(0.99, 0), (1.01, 2), (1.5, 4)] {
            world.radius = (b - a) * reach / 2.0;
            let found = race::frame::<Pool>(&world).collisions;
            assert_eq!(found, brute_force(&world));
            let inner_bodies = 31 * 31;
            assert!(found.pairs >= neighbours * inner_bodies, "{found:?}");
            assert!(found.pairs <= neighbours * 33 * 33, "{found:?}");
        }
    }

    #[test]
    fn finds_nothing_around_a_single_body() {
        assert_eq!(check(&[[12.5, -3.0]], 1), Collisions::default());
    }

    #[test]
    fn gives_every_node_back() {
        let stats = QuadTreeNode::<Pool>::pool_stats;
        let world = World::new(&world::cities(), 2000, 1);
        let tree = race::build::<Pool>(&world);
        let nodes = stats().live;
        assert!(nodes > 2000 / 6, "{nodes} nodes");
        drop(tree);
        assert_eq!(stats().live, 0);

        drop(race::build::<Pool>(&world));
        assert_eq!((stats().live, stats().high_water), (0, nodes));
    }

    #[test]
    #[cfg(target_pointer_width = "64")]
    fn is_as_large_in_every_heap() {
        fn node_size<B: Backend>() -> usize {
            assert_eq!(size_of::<B::Box>(), size_of::<usize>());
            size_of::<QuadTreeNode<B>>()
        }
        let sizes = [node_size::<Pool>(), node_size::<SystemHeap>(), node_size::<MimallocHeap>()];
        assert_eq!(sizes, [96; 3]);
    }
}

mod the_world {
    use super::*;

    #[test]
    fn keeps_its_bodies_inside() {
        let mut world = World::new(&random_points(100), 100, 1);
        for body in &mut world.bodies {
            body.velocity = body.velocity.map(|speed| speed * 1e4);
        }
        for _ in 0..100 {
            world.step();
            for body in &world.bodies {
                for axis in [0, 1] {
                    assert!((0.0..=world.size[axis]).contains(&body.position[axis]), "{body:?}");
                }
            }
        }
    }

    #[test]
    fn uses_points_in_turn_with_new_velocities() {
        let world = World::new(&[[0.0, 0.0], [1.0, 1.0]], 5, 1);
        let [a, b, c, ..] = world.bodies[..] else { panic!("5 bodies") };
        assert_eq!(a.position, c.position);
        assert_ne!(a.position, b.position);
        assert_ne!(a.velocity, c.velocity);
    }

    #[test]
    fn depends_on_the_seed_alone() {
        let bodies = |seed| World::new(&random_points(10), 10, seed).bodies;
        assert_eq!(bodies(1), bodies(1));
        assert_ne!(bodies(1), bodies(2));
    }

    #[test]
    fn has_room_for_any_coordinates() {
        for far in [f64::MAX, f64::MIN_POSITIVE / 1e10] {
            let world = World::new(&[[-far, 0.0], [far, far], [0.0, far]], 3, 1);
            assert_eq!(world.size[0], 1020.0);
            assert_eq!(world.bodies.last().unwrap().position[0], 510.0);
        }
    }
}

mod points {
    use super::*;

    fn parse(text: &str) -> Result<Vec<Point>, String> {
        world::parse_points("p.csv", text)
    }

    #[test]
    fn may_have_a_header_and_blank_lines() {
        let expected = Ok(vec![[1.0, -2.5], [3e2, 4.0]]);
        assert_eq!(parse("1,-2.5\n3e2,4\n"), expected);
        assert_eq!(parse("x,y\n1,-2.5\n3e2,4"), expected);
        assert_eq!(parse("\u{feff}lon, lat\r\n 1 , -2.5\r\n\r\n3e2,4\r\n\r\n"), expected);
    }

    #[test]
    fn come_with_the_example() {
        assert_eq!(world::cities().len(), 20_000);
    }

    #[track_caller]
    fn refused(text: &str, message: &str) {
        assert_eq!(parse(text), Err(message.to_owned()));
    }

    #[test]
    fn are_refused_with_line_and_text() {
        refused("1,2\n3,4x\n", r#"p.csv:2: "4x" is not a number"#);
        refused("x,y\n\n1,\n", r#"p.csv:3: "" is not a number"#);
        refused("1,y\n", r#"p.csv:1: "y" is not a number"#);
        refused("1,2\nx,y\n", r#"p.csv:2: "x" is not a number"#);
        refused("1,NaN\n", r#"p.csv:1: "NaN" is not a finite number"#);
        refused("1,2\n-inf,0\n", r#"p.csv:2: "-inf" is not a finite number"#);
        refused("1e999,0\n", r#"p.csv:1: "1e999" is not a finite number"#);
        refused("1,2\n3\n", r#"p.csv:2: expected two fields, `x,y`, but found 1: "3""#);
        refused("1,2,3\n", r#"p.csv:1: expected two fields, `x,y`, but found 3: "1,2,3""#);
        refused("x,y,z\n", r#"p.csv:1: expected two fields, `x,y`, but found 3: "x,y,z""#);
    }

    #[test]
    fn are_refused_when_there_are_none() {
        for text in ["", "\n", "x,y\n", "\u{feff}"] {
            refused(text, "p.csv: there are no points in it");
        }
    }

    #[test]
    fn are_refused_when_the_file_is_missing() {
        let error = world::read_points(Path::new("no/such/file.csv")).unwrap_err();
        assert!(error.starts_with("cannot read \"no/such/file.csv\": "), "{error}");
    }
}

mod the_command_line {
    use super::*;

    fn parse(arguments: &str) -> Result<Command, String> {
        options::parse(arguments.split_whitespace().map(Into::into)).map_err(|e| e.to_string())
    }

    #[test]
    fn has_an_option_for_everything() {
        assert_eq!(parse(""), Ok(Command::Run(Options::default())));
        assert_eq!(
            parse("--bodies 5 --frames=6 --seed 0 --points p.csv --json"),
            Ok(Command::Run(Options {
                bodies: 5,
                frames: 6,
                seed: 0,
                points: Some("p.csv".into()),
                json: true
            }))
        );
        assert_eq!(parse("--json --help"), Ok(Command::Help));
    }

    #[test]
    fn has_help_that_tells_the_defaults() {
        let Options { bodies, frames, seed, .. } = Options::default();
        for default in [format!("[{bodies}]"), format!("[{frames}]"), format!("[{seed}]")] {
            assert!(options::HELP.contains(&default), "{default}");
        }
    }

    #[test]
    fn refuses_what_it_does_not_know() {
        for (arguments, message) in [
            ("--bodies 0", "--bodies takes a whole number from 1 to 10000000, not \"0\""),
            ("--frames 0", "--frames takes a whole number from 1 to 4294967295, not \"0\""),
            ("--bodies 1e4", "--bodies takes a whole number from 1 to 10000000, not \"1e4\""),
            ("--bodies 10000001", "--bodies takes a whole number from 1 to 10000000"),
            ("--seed -1", "--seed takes a whole number"),
            ("--frames", "missing argument for option '--frames'"),
            ("--points", "missing argument for option '--points'"),
            ("--json=yes", "unexpected argument for option '--json'"),
            ("--body 5", "invalid option '--body'"),
            ("p.csv", "unexpected argument \"p.csv\""),
        ] {
            let error = parse(arguments).unwrap_err();
            assert!(error.starts_with(message), "{arguments}: {error}");
        }
    }
}

mod the_race {
    use super::*;

    fn results(seed: u64) -> race::Results {
        race::run(World::new(&world::cities(), 300, seed), 5).unwrap()
    }

    #[test]
    fn is_the_same_for_the_same_seed() {
        assert_eq!(results(1).collisions, results(1).collisions);
        assert_ne!(results(1).collisions, results(2).collisions);
    }

    #[test]
    fn reports_one_json_object() {
        let results = results(1);
        let options = Options { bodies: 300, frames: 5, ..Options::default() };
        let json: serde_json::Value =
            serde_json::from_str(&report::json(&options, &results)).unwrap();

        assert_eq!(json["bodies"], 300);
        assert_eq!(json["frames"], 5);
        assert_eq!(json["seed"], 1);
        assert_eq!(json["pairs"], results.collisions.pairs);
        assert_eq!(json["pool"]["live"], 0);
        for contestant in json["contestants"].as_array().unwrap() {
            assert_eq!(contestant["checksum"], json["checksum"]);
            for phase in race::PHASES {
                let [median, p99] = ["median", "p99"]
                    .map(|value| contestant["microseconds"][phase][value].as_f64().unwrap());
                // A phase may take less than the clock can tell, most of the time.
                assert!(median <= p99 && 0.0 < p99, "{contestant}");
            }
        }
    }

    #[test]
    fn reports_a_table() {
        let table = report::table(&Options::default(), &results(1));
        for name in ["typed-pool", "Box (system)", "mimalloc", "build", "p99", "checksum"] {
            assert!(table.contains(name), "{table}");
        }
    }
}
