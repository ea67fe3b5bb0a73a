//! Written to while it is borrowed, or through what is shared

use typed_pool::{PoolRc, Pooled, Rewind, Roster};

#[derive(Pooled)]
#[pool(rc)]
struct Texture([u32; 16]);

#[derive(Pooled)]
#[pool(strategy = roster)]
struct Monster {
    health: i32,
}

// An element borrowed while another is inserted.
fn element_kept_across_insertion(bullets: &mut Roster<[f32; 4]>) {
    let handle = bullets.insert([0.0; 4]);
    let bullet = &mut bullets[handle];
    bullets.insert([1.0; 4]);
    bullet[0] = 2.0;
}

// A roster changed while it is iterated over.
fn roster_changed_in_iteration(bullets: &mut Roster<[f32; 4]>) {
    for (handle, bullet) in &*bullets {
        if bullet[0] < 0.0 {
            bullets.remove(handle);
        }
    }
}

fn shared_element_written_to(grass: PoolRc<Texture>) {
    grass.0[0] = 8;
}

fn written_through_a_shared_guard() {
    let orc = Monster::pool_insert(Monster { health: 40 });
    let mut monsters = Monster::pool_borrow();
    monsters[orc].health -= 5;
}

// Elements taken out of a rewind.
fn rewind_drained(scores: &mut Rewind<u32>) {
    for (_, score) in scores.drain() {
        println!("{score}");
    }
}

fn main() {}
