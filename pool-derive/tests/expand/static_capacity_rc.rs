#[derive(Pooled)]
#[pool(static, capacity = 64, rc)]
struct Texture { texels: [u32; 4] }
