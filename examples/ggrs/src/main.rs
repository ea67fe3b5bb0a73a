//! Rollback netcode with GGRS. A saved state is a mark: to save is to mark, to load is to rewind.
//!
//! ```text
//! cargo run --release --manifest-path examples/ggrs/Cargo.toml
//! ```
//!
//! First GGRS's sync test: in every frame it goes eight frames back, plays them again, and compares checksums over all elements and
//! handles. Then two peers over a line that loses, delays and reorders what they send; each predicts the other's input.

mod game;
mod line;

use std::collections::VecDeque;
use std::time::{Duration, Instant};
use std::{iter, thread};

use ggrs::{
    Config, DesyncDetection, Frame, GgrsError, GgrsEvent, GgrsRequest, P2PSession, PlayerType,
    PredictRepeatLast, SessionBuilder, SessionState,
};
use typed_pool::{Mark, Rewindable};

use game::World;
use line::{Line, Socket};

/// How many frames GGRS may go back.
const WINDOW: usize = 8;

#[derive(Debug)]
struct Rollback;

impl Config for Rollback {
    type Input = u8;
    type InputPredictor = PredictRepeatLast;
    type State = Mark;
    type Address = usize;
}

/// A world that does as GGRS requests.
struct Player {
    world: World,
    /// The frames that GGRS may load.
    marks: VecDeque<(Frame, Mark)>,
    /// Checksums of the state at the beginning of each frame, as last played.
    checksums: Vec<u64>,
    cost: Cost,
}

/// Compares the cost of rewinds with that of clones of the world.
#[derive(Default)]
struct Cost {
    marks: Duration,
    rewinds: Duration,
    frames_again: u32,
    clones: Duration,
    clones_made: u32,
}

impl Player {
    fn new() -> Self {
        Self {
            world: World::new(),
            marks: VecDeque::new(),
            checksums: Vec::new(),
            cost: Cost::default(),
        }
    }

    fn fulfil(&mut self, requests: Vec<GgrsRequest<Rollback>>) {
        for request in requests {
            match request {
                GgrsRequest::SaveGameState { cell, frame } => {
                    let mark = timed(&mut self.cost.marks, || self.world.mark());
                    self.marks.push_back((frame, mark));
                    let checksum = self.world.checksum();
                    self.checksums.truncate(frame as usize);
                    self.checksums.push(checksum);
                    cell.save(frame, Some(mark), Some(checksum.into()));
                }
                GgrsRequest::LoadGameState { cell, frame } => {
                    let mark = cell.load().expect("a frame that was saved");
                    timed(&mut self.cost.rewinds, || self.world.rewind(mark))
                        .expect("a mark that is not confirmed");
                    // Later marks are forgotten; this one stays.
                    while self.marks.back().is_some_and(|(saved, _)| *saved > frame) {
                        self.marks.pop_back();
                        self.cost.frames_again += 1;
                    }
                }
                GgrsRequest::AdvanceFrame { inputs } => {
                    self.world.step(&[inputs[0].0, inputs[1].0])
                }
            }
        }
        // GGRS goes back no further: destructors of what was removed before that run here.
        let newest = self.marks.back().map_or(0, |(frame, _)| *frame);
        while self.marks.front().is_some_and(|(frame, _)| newest - frame > WINDOW as Frame) {
            self.marks.pop_front();
            let (_, oldest) = self.marks[0];
            timed(&mut self.cost.marks, || self.world.confirm(oldest));
        }
        if self.checksums.len().is_multiple_of(16) {
            timed(&mut self.cost.clones, || drop(self.world.copy()));
            self.cost.clones_made += 1;
        }
    }

    fn report(&self, name: &str) {
        let (Cost { marks, rewinds, clones, .. }, frames) =
            (&self.cost, self.checksums.len() as u32);
        println!(
            "{name}: {frames} frames, {} played again. A frame: {:.2?} to mark and confirm, {:.2?} to go back; a clone of the world: {:.2?}",
            self.cost.frames_again,
            *marks / frames,
            *rewinds / frames,
            *clones / self.cost.clones_made.max(1),
        );
    }
}

fn timed<R>(total: &mut Duration, work: impl FnOnce() -> R) -> R {
    let start = Instant::now();
    let result = work();
    *total += start.elapsed();
    result
}

/// A player's keys, held for some frames each.
fn keys(player: usize, frame: usize) -> u8 {
    let held = (frame / (5 + player) * 2 + player) as u32;
    (held.wrapping_mul(0x9e37_79b9) >> 27) as u8
}

/// GGRS's own test of determinism: an error is a state that came back otherwise.
fn sync_test(frames: usize) -> Result<Player, GgrsError> {
    let mut session = SessionBuilder::<Rollback>::new()
        .with_num_players(2)?
        .with_max_prediction_window(WINDOW + 1)
        .with_check_distance(WINDOW)
        .start_synctest_session()?;
    let mut player = Player::new();
    for frame in 0..frames {
        for number in [0, 1] {
            session.add_local_input(number, keys(number, frame))?;
        }
        player.fulfil(session.advance_frame()?);
    }
    Ok(player)
}

/// One end of the line.
fn peer(number: usize, socket: Socket) -> Result<P2PSession<Rollback>, GgrsError> {
    SessionBuilder::<Rollback>::new()
        .with_num_players(2)?
        .with_max_prediction_window(WINDOW)
        .with_desync_detection_mode(DesyncDetection::On { interval: 10 })
        .add_player(PlayerType::Local, number)?
        .add_player(PlayerType::Remote(1 - number), 1 - number)?
        .start_p2p_session(socket)
}

/// Two peers play until both have this many frames that will not change. Returns the players, and how often one had to wait.
fn two_peers(frames: usize, seed: u64) -> Result<([Player; 2], usize), GgrsError> {
    let line = Line::new(seed);
    let mut peers = [peer(0, line.end(0))?, peer(1, line.end(1))?];
    let mut players = [Player::new(), Player::new()];
    let mut waits = 0;
    while peers.iter().any(|peer| peer.confirmed_frame() < frames as Frame) {
        line.tick();
        for ((number, peer), player) in iter::zip(0.., &mut peers).zip(&mut players) {
            peer.poll_remote_clients();
            for event in peer.events() {
                assert!(!matches!(event, GgrsEvent::DesyncDetected { .. }), "{event:?}");
            }
            if peer.current_state() != SessionState::Running {
                continue;
            }
            peer.add_local_input(number, keys(number, peer.current_frame() as usize))?;
            match peer.advance_frame() {
                Ok(requests) => player.fulfil(requests),
                Err(GgrsError::PredictionThreshold) => waits += 1, // the other is too far behind
                Err(error) => return Err(error),
            }
        }
        // GGRS sends again after some time on the clock.
        thread::sleep(Duration::from_micros(500));
    }
    let [one, other] = &players;
    assert_eq!(one.checksums[..frames], other.checksums[..frames], "the peers have drifted apart");
    Ok((players, waits))
}

fn main() -> Result<(), GgrsError> {
    sync_test(10_000)?.report("sync test, eight frames back in each");
    let (players, waits) = two_peers(2_000, 7)?;
    for (number, player) in iter::zip(0.., &players) {
        player.report(&format!("peer {number}"));
        println!("  {}", player.world);
    }
    println!(
        "both had the same state in each of 2000 frames; one waited for the other in {waits} of them"
    );
    Ok(())
}

#[test]
fn a_state_comes_back_exactly() {
    let player = sync_test(2_000).unwrap();
    assert!(player.cost.frames_again > 10_000 && player.world.deaths() > 100);
}

#[test]
fn peers_stay_together() {
    for seed in 0..3 {
        let (players, _) = two_peers(300, seed).unwrap();
        assert!(
            players.iter().any(|player| player.cost.frames_again > 0),
            "nothing was predicted wrongly"
        );
    }
}
