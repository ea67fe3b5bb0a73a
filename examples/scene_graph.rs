//! A scene: nodes hold handles of their parents and children. A secondary map holds their meshes.
//!
//! ```text
//! cargo run --release -p typed-pool-examples --example scene_graph
//! ```

use typed_pool::{Handle, Roster, SecondaryMap};

struct Node {
    name: &'static str,
    /// The place, relative to the parent.
    offset: [f32; 2],
    parent: Option<Handle<Node>>,
    children: Vec<Handle<Node>>,
}

/// Few nodes have one, so it is not a field of each.
struct Mesh {
    triangles: u32,
}

#[derive(Default)]
struct Scene {
    nodes: Roster<Node>,
    meshes: SecondaryMap<Node, Mesh>,
}

impl Scene {
    fn add(
        &mut self,
        name: &'static str,
        offset: [f32; 2],
        parent: Option<Handle<Node>>,
    ) -> Handle<Node> {
        let node = self.nodes.insert(Node { name, offset, parent: None, children: Vec::new() });
        if let Some(parent) = parent {
            self.attach(node, parent);
        }
        node
    }

    /// Hangs a node, with all below it, under another.
    fn attach(&mut self, node: Handle<Node>, parent: Handle<Node>) {
        assert!(
            !self.ancestors(parent).any(|above| above == node),
            "a node cannot be above itself"
        );
        self.detach(node);
        self.nodes[node].parent = Some(parent);
        self.nodes[parent].children.push(node);
    }

    fn detach(&mut self, node: Handle<Node>) {
        if let Some(parent) = self.nodes[node].parent.take() {
            self.nodes[parent].children.retain(|&child| child != node);
        }
    }

    /// Removes a node and all below it. Handles to them find nothing from now on.
    fn remove(&mut self, node: Handle<Node>) {
        self.detach(node);
        let mut doomed = vec![node];
        while let Some(next) = doomed.pop() {
            let node = self.nodes.remove(next).expect("a child is live");
            self.meshes.remove(next);
            doomed.extend(node.children);
        }
    }

    /// The node itself, its parent, and so on up to the root.
    fn ancestors(&self, node: Handle<Node>) -> impl Iterator<Item = Handle<Node>> {
        std::iter::successors(Some(node), |&node| self.nodes[node].parent)
    }

    fn position(&self, node: Handle<Node>) -> [f32; 2] {
        let offsets = self.ancestors(node).map(|node| self.nodes[node].offset);
        offsets.fold([0.0; 2], |[x, y], [dx, dy]| [x + dx, y + dy])
    }

    fn print(&self, node: Handle<Node>, depth: usize) {
        let [x, y] = self.position(node);
        let Node { name, children, .. } = &self.nodes[node];
        let mesh = self
            .meshes
            .get(node)
            .map_or(String::new(), |mesh| format!(", {} triangles", mesh.triangles));
        println!("{:indent$}{name} at {x}, {y}{mesh}", "", indent = 2 * depth);
        for &child in children {
            self.print(child, depth + 1);
        }
    }
}

fn main() {
    let mut scene = Scene::default();
    let world = scene.add("world", [0.0, 0.0], None);
    let tank = scene.add("tank", [10.0, 0.0], Some(world));
    let turret = scene.add("turret", [0.0, 2.0], Some(tank));
    let barrel = scene.add("barrel", [3.0, 0.0], Some(turret));
    let tree = scene.add("tree", [40.0, 5.0], Some(world));
    scene.meshes.insert(tank, Mesh { triangles: 900 });
    scene.meshes.insert(barrel, Mesh { triangles: 60 });
    scene.print(world, 0);

    println!("\nThe tank drives, and the rest follows:");
    scene.nodes[tank].offset[0] += 25.0;
    scene.print(world, 0);
    assert_eq!(scene.position(barrel), [38.0, 2.0]);

    println!("\nThe turret is blown into the tree, and the tank is gone:");
    scene.attach(turret, tree);
    scene.remove(tank);
    scene.print(world, 0);
    assert_eq!(scene.position(barrel), [43.0, 7.0]);
    assert!(scene.nodes.get(tank).is_none() && scene.meshes.get(tank).is_none());
    assert_eq!((scene.nodes.len(), scene.meshes.len()), (4, 1));

    // A new node may take the tank's slot, and is not taken for it.
    let crater = scene.add("crater", [35.0, 0.0], Some(world));
    assert_ne!(crater, tank);
    assert!(!scene.nodes.contains(tank));
}

#[test]
fn the_scene_holds_together() {
    main();
}
