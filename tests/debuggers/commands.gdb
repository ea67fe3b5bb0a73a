break main.rs:40
run
print bullet
print number
print bullets
print fast
print dangling
print many
print list
print stack
print rewind
