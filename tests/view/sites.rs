//! The feature `sites`: each live element knows the line that made it.

mod lines;
mod rare;

use std::collections::BTreeMap;

use typed_pool::pools::Site;

/// How many elements are live by the lines of this program, in the order of these.
fn by_line(sites: &[Site]) -> Vec<(u32, usize)> {
    let mut lines = BTreeMap::new();
    for site in sites {
        *lines.entry(site.location.line()).or_insert(0) += site.live;
    }
    lines.into_iter().collect()
}

/// How many elements are live in all, which only lines of this file have made.
#[track_caller]
fn made_in(file: &str, sites: &[Site]) -> usize {
    for site in sites {
        assert_eq!(site.location.file(), file, "{site}");
    }
    sites.iter().map(|site| site.live).sum()
}
