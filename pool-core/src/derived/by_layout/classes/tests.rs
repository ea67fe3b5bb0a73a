use super::{CLASSES, Class, LAYOUTS, Layout, MOST_ALIGN, MOST_BYTES};

#[test]
fn each_layout_fits_into_its_slot() {
    for size in 1..=MOST_BYTES + 1 {
        for align in [1, 2, 4, 8, 16, 32, 64, 128] {
            let layout = Layout::from_size_align(size, align).unwrap();
            let Some(class) = Class::of(layout) else {
                assert!(size > MOST_BYTES || align > MOST_ALIGN);
                continue;
            };
            let (slot, padded) = (class.layout().size(), layout.pad_to_align().size());
            assert!(padded <= slot && slot % align == 0, "{layout:?}: {slot}");
            assert!(slot - padded < 8 || (slot > 128 && 5 * (slot - padded) < slot), "{layout:?}");
        }
    }
}

#[test]
fn classes_grow() {
    let bytes = LAYOUTS.map(|layout| layout.size());
    assert!(bytes.is_sorted_by(|a, b| a < b));
    assert_eq!((bytes.len(), bytes[0], bytes[15], bytes[16]), (CLASSES, 8, 128, 160));
    assert_eq!(bytes[CLASSES - 1], MOST_BYTES);
}
