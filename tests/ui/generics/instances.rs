//! Instances that are none

use typed_pool::Pooled;

// An instance of another type.
#[derive(Pooled)]
#[pool(instances(InstanceOfAnotherType<f32>, Leaf<f32>))]
struct InstanceOfAnotherType<T>([T; 4]);

struct Leaf<T>(T);

// An instance listed twice.
#[derive(Pooled)]
#[pool(instances(InstanceTwice<f32>, InstanceTwice<f64>, InstanceTwice< f32 >))]
struct InstanceTwice<T>([T; 4]);

// A constant with a name of the derive's own.
const __TYPED_POOL: usize = 3;

#[derive(Pooled)]
#[pool(instances(InstanceOfAReservedName<f32, { __TYPED_POOL + 1 }>))]
struct InstanceOfAReservedName<T, const N: usize>([T; N]);

// Arguments in place of instances.
#[derive(Pooled)]
#[pool(instances(f32, f64))]
struct InstancesArgumentsOnly<T>([T; 4]);

// Instances after an equals sign.
#[derive(Pooled)]
#[pool(instances = InstancesAssigned<f32>)]
struct InstancesAssigned<T>([T; 4]);

// An empty list of instances.
#[derive(Pooled)]
#[pool(instances())]
struct InstancesEmpty<T>([T; 4]);

// Instances that are not types.
#[derive(Pooled)]
#[pool(instances(64))]
struct InstancesNotTypes<T>([T; 4]);

// Instances of a type without parameters.
#[derive(Pooled)]
#[pool(instances(InstancesOfNoGeneric))]
struct InstancesOfNoGeneric([f32; 4]);

// Without the parentheses.
#[derive(Pooled)]
#[pool(instances)]
struct InstancesWithoutList<T>([T; 4]);

// Types that are left open.
#[derive(Pooled)]
#[pool(instances(Placeholders<_>, Placeholders<impl Copy>, Placeholders<[u8; { match 3 { _ => 8 } }]>))]
struct Placeholders<T>(T, u64);

fn main() {}
