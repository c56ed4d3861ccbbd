;; Looks for texts of ASCII in bytes, sixteen at a time. `node scripts/assemble.mjs` makes `byte-finder-code.ts` of this.
;;
;; A needle takes 96 bytes: its length, the places of the two bytes in it that are likely to be rarest (three i32), from 32 on its
;; bytes, at most 32, with letters as small ones where case is ignored, and from 64 on what to set in a byte before it is
;; compared: 0x20 for those letters, else nothing. What is searched ends some way before the end of the memory: up to 128 bytes behind it are read, but never looked at.
(module
  (memory (export "memory") 2)

  (func $stands (param $needle i32) (param $length i32) (param $at i32) (result i32)
    (local $place i32)
    (loop $next
      (if (i32.ne
            (i32.or (i32.load8_u (i32.add (local.get $at) (local.get $place)))
                    (i32.load8_u offset=64 (i32.add (local.get $needle) (local.get $place))))
            (i32.load8_u offset=32 (i32.add (local.get $needle) (local.get $place))))
        (then (return (i32.const 0))))
      (local.set $place (i32.add (local.get $place) (i32.const 1)))
      (br_if $next (i32.lt_u (local.get $place) (local.get $length))))
    (i32.const 1))

  ;; Among sixteen places from $from on those whose bit is set; -1 for none.
  (func $first (param $needle i32) (param $length i32) (param $from i32) (param $last i32) (param $bits i32) (result i32)
    (local $at i32)
    (block $none
      (loop $next
        (br_if $none (i32.eqz (local.get $bits)))
        (local.set $at (i32.add (local.get $from) (i32.ctz (local.get $bits))))
        (br_if $none (i32.gt_u (local.get $at) (local.get $last)))
        (if (call $stands (local.get $needle) (local.get $length) (local.get $at)) (then (return (local.get $at))))
        (local.set $bits (i32.and (local.get $bits) (i32.sub (local.get $bits) (i32.const 1))))
        (br $next)))
    (i32.const -1))

  ;; Where the needle stands first in the bytes from $from to before $end; -1 for nowhere.
  (func $find (export "find") (param $needle i32) (param $from i32) (param $end i32) (result i32)
    (local $length i32) (local $last i32) (local $one i32) (local $two i32) (local $at i32)
    (local $byte1 v128) (local $case1 v128) (local $byte2 v128) (local $case2 v128)
    (local $right0 v128) (local $right1 v128) (local $right2 v128) (local $right3 v128)
    (local.set $length (i32.load (local.get $needle)))
    (local.set $last (i32.sub (local.get $end) (local.get $length)))
    (if (i32.lt_s (local.get $last) (local.get $from)) (then (return (i32.const -1))))
    (local.set $one (i32.load offset=4 (local.get $needle)))
    (local.set $two (i32.load offset=8 (local.get $needle)))
    (local.set $byte1 (v128.load8_splat offset=32 (i32.add (local.get $needle) (local.get $one))))
    (local.set $case1 (v128.load8_splat offset=64 (i32.add (local.get $needle) (local.get $one))))
    (local.set $byte2 (v128.load8_splat offset=32 (i32.add (local.get $needle) (local.get $two))))
    (local.set $case2 (v128.load8_splat offset=64 (i32.add (local.get $needle) (local.get $two))))
    (local.set $one (i32.add (local.get $from) (local.get $one)))
    (local.set $two (i32.add (local.get $from) (local.get $two)))
    (loop $next
      (local.set $right0 (v128.and
        (i8x16.eq (v128.or (v128.load (local.get $one)) (local.get $case1)) (local.get $byte1))
        (i8x16.eq (v128.or (v128.load (local.get $two)) (local.get $case2)) (local.get $byte2))))
      (local.set $right1 (v128.and
        (i8x16.eq (v128.or (v128.load offset=16 (local.get $one)) (local.get $case1)) (local.get $byte1))
        (i8x16.eq (v128.or (v128.load offset=16 (local.get $two)) (local.get $case2)) (local.get $byte2))))
      (local.set $right2 (v128.and
        (i8x16.eq (v128.or (v128.load offset=32 (local.get $one)) (local.get $case1)) (local.get $byte1))
        (i8x16.eq (v128.or (v128.load offset=32 (local.get $two)) (local.get $case2)) (local.get $byte2))))
      (local.set $right3 (v128.and
        (i8x16.eq (v128.or (v128.load offset=48 (local.get $one)) (local.get $case1)) (local.get $byte1))
        (i8x16.eq (v128.or (v128.load offset=48 (local.get $two)) (local.get $case2)) (local.get $byte2))))
      (if (v128.any_true (v128.or
            (v128.or (local.get $right0) (local.get $right1))
            (v128.or (local.get $right2) (local.get $right3))))
        (then
          (local.set $at (call $first (local.get $needle) (local.get $length)
            (local.get $from) (local.get $last) (i8x16.bitmask (local.get $right0))))
          (if (i32.ne (local.get $at) (i32.const -1)) (then (return (local.get $at))))
          (local.set $at (call $first (local.get $needle) (local.get $length)
            (i32.add (local.get $from) (i32.const 16)) (local.get $last) (i8x16.bitmask (local.get $right1))))
          (if (i32.ne (local.get $at) (i32.const -1)) (then (return (local.get $at))))
          (local.set $at (call $first (local.get $needle) (local.get $length)
            (i32.add (local.get $from) (i32.const 32)) (local.get $last) (i8x16.bitmask (local.get $right2))))
          (if (i32.ne (local.get $at) (i32.const -1)) (then (return (local.get $at))))
          (local.set $at (call $first (local.get $needle) (local.get $length)
            (i32.add (local.get $from) (i32.const 48)) (local.get $last) (i8x16.bitmask (local.get $right3))))
          (if (i32.ne (local.get $at) (i32.const -1)) (then (return (local.get $at))))))
      (local.set $from (i32.add (local.get $from) (i32.const 64)))
      (local.set $one (i32.add (local.get $one) (i32.const 64)))
      (local.set $two (i32.add (local.get $two) (i32.const 64)))
      (br_if $next (i32.le_s (local.get $from) (local.get $last))))
    (i32.const -1))

  ;; Where the line's feed stands in which $at lies, or $end.
  (func $lineEnd (param $at i32) (param $end i32) (result i32)
    (local $bits i32)
    (block $found
      (loop $next
        (br_if $found (i32.ge_u (local.get $at) (local.get $end)))
        (local.set $bits (i8x16.bitmask (i8x16.eq (v128.load (local.get $at)) (i8x16.splat (i32.const 10)))))
        (if (local.get $bits)
          (then
            (local.set $at (i32.add (local.get $at) (i32.ctz (local.get $bits))))
            (br $found)))
        (local.set $at (i32.add (local.get $at) (i32.const 16)))
        (br $next)))
    (if (result i32) (i32.lt_u (local.get $at) (local.get $end)) (then (local.get $at)) (else (local.get $end))))

  ;; How many lines hold the needle, which holds no feed.
  (func (export "countLines") (param $needle i32) (param $from i32) (param $end i32) (result i32)
    (local $count i32)
    (block $done
      (loop $next
        (local.set $from (call $find (local.get $needle) (local.get $from) (local.get $end)))
        (br_if $done (i32.eq (local.get $from) (i32.const -1)))
        (local.set $count (i32.add (local.get $count) (i32.const 1)))
        (local.set $from (i32.add (call $lineEnd (local.get $from) (local.get $end)) (i32.const 1)))
        (br_if $next (i32.lt_u (local.get $from) (local.get $end)))))
    (local.get $count))

  ;; Of the bits of sixteen places from $from on those of places before $end.
  (func $before (param $end i32) (param $from i32) (param $bits i32) (result i32)
    (if (result i32) (i32.lt_u (i32.sub (local.get $end) (local.get $from)) (i32.const 16))
      (then (i32.and (local.get $bits)
        (i32.sub (i32.shl (i32.const 1) (i32.sub (local.get $end) (local.get $from))) (i32.const 1))))
      (else (local.get $bits))))

  ;; How many line feeds there are.
  (func (export "countFeeds") (param $from i32) (param $end i32) (result i32)
    (local $count i32)
    (loop $next
      (if (i32.lt_u (local.get $from) (local.get $end))
        (then
          (local.set $count (i32.add (local.get $count) (i32.popcnt (call $before (local.get $end) (local.get $from)
            (i8x16.bitmask (i8x16.eq (v128.load (local.get $from)) (i8x16.splat (i32.const 10))))))))
          (local.set $from (i32.add (local.get $from) (i32.const 16)))
          (br $next))))
    (local.get $count))

  ;; How many UTF-16 code units a text in UTF-8 has: one for each byte that begins a character, and one more for those of four bytes.
  (func (export "countUnits") (param $from i32) (param $end i32) (result i32)
    (local $count i32) (local $bytes v128)
    (loop $next
      (if (i32.lt_u (local.get $from) (local.get $end))
        (then
          (local.set $bytes (v128.load (local.get $from)))
          (local.set $count (i32.add (local.get $count) (i32.popcnt (call $before (local.get $end) (local.get $from)
            (i8x16.bitmask (i8x16.gt_s (local.get $bytes) (i8x16.splat (i32.const -65))))))))
          (local.set $count (i32.add (local.get $count) (i32.popcnt (call $before (local.get $end) (local.get $from)
            (i8x16.bitmask (i8x16.ge_u (local.get $bytes) (i8x16.splat (i32.const 0xf0))))))))
          (local.set $from (i32.add (local.get $from) (i32.const 16)))
          (br $next))))
    (local.get $count))
)
