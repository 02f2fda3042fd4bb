// Sum and extremes of a plane of samples in one launch: every group makes a Part, and the last one to come to its end
// joins them all. Parts go by atomic operations alone, which all groups see; the result is the same in every run.
// Names put before the text: WIDTH, HEIGHT in samples; SAMPLE_UCHAR, SAMPLE_USHORT or SAMPLE_FLOAT; WITH_SUM and
// WITH_EXTREMES, what is wanted; GROUP, the work-items of a group: 1 on processors, where an item takes whole rows.
#if defined(SAMPLE_FLOAT)
typedef float Sample;
typedef float Value;
typedef float Sum;
#define NO_LEAST INFINITY
#define NO_MOST -INFINITY
#define LESSER(a, b) fmin(a, b)
#define GREATER(a, b) fmax(a, b)
#define AS_UINT(v) as_uint(v)
#define AS_VALUE(word) as_float(word)
#define LOWER(sum) as_uint(sum)
#define UPPER(sum) 0u
#define AS_SUM(lower, upper) as_float(lower)
#else
#ifdef SAMPLE_UCHAR
typedef uchar Sample;
#else
typedef ushort Sample;
#endif
typedef uint Value;
typedef ulong Sum;
#define NO_LEAST 0xffffffffu
#define NO_MOST 0u
#define LESSER(a, b) min(a, b)
#define GREATER(a, b) max(a, b)
#define AS_UINT(v) (v)
#define AS_VALUE(word) (word)
#define LOWER(sum) ((uint)(sum))
#define UPPER(sum) ((uint)((sum) >> 32))
#define AS_SUM(lower, upper) ((ulong)(upper) << 32 | (lower))
#endif
#define WORD_SAMPLES (16 / (int)sizeof(Sample))
#define ROW_WORDS ((WIDTH + WORD_SAMPLES - 1) / WORD_SAMPLES)
#define FN static inline __attribute__((always_inline))

typedef struct {
    Value least, most;
    Sum sum;
} Part;
#define PART_WORDS 4 // of a Part in global memory: least, most, sum's lower and upper half

FN Part nothing(void) {
    Part part;
    part.least = NO_LEAST;
    part.most = NO_MOST;
    part.sum = 0;
    return part;
}

FN Part joined(Part a, Part b) {
#ifdef WITH_EXTREMES
    a.least = LESSER(a.least, b.least);
    a.most = GREATER(a.most, b.most);
#endif
#ifdef WITH_SUM
    a.sum += b.sum;
#endif
    return a;
}

FN Part with_value(Part part, Value v) {
    Part one;
    one.least = one.most = v;
    one.sum = v;
    return joined(part, one);
}

FN void store(Part part, __global uint *to) {
    to[0] = AS_UINT(part.least);
    to[1] = AS_UINT(part.most);
    to[2] = LOWER(part.sum);
    to[3] = UPPER(part.sum);
}

FN uint send(Part part, __global uint *to) {
    return atomic_xchg(to, AS_UINT(part.least)) | atomic_xchg(to + 1, AS_UINT(part.most)) |
           atomic_xchg(to + 2, LOWER(part.sum)) | atomic_xchg(to + 3, UPPER(part.sum));
}

FN Part received(__global uint *from) {
    Part part;
    part.least = AS_VALUE(atomic_add(from, 0u));
    part.most = AS_VALUE(atomic_add(from + 1, 0u));
    part.sum = AS_SUM(atomic_add(from + 2, 0u), atomic_add(from + 3, 0u));
    return part;
}

#if GROUP > 1

FN Part in_group(Part part, __local Part *tree) {
    const int item = get_local_id(0);
    tree[item] = part;
    for (int half_size = GROUP / 2; half_size > 0; half_size /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item < half_size) tree[item] = joined(tree[item], tree[item + half_size]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    return tree[0];
}

// Of a whole word. Sums of a word's integers fit 32 bits.
FN Part with_word(Part part, uint4 word) {
#ifdef SAMPLE_FLOAT
    const float4 v = as_float4(word);
#ifdef WITH_SUM
    part.sum += (v.x + v.y) + (v.z + v.w);
#endif
#ifdef WITH_EXTREMES
    part.least = fmin(part.least, fmin(fmin(v.x, v.y), fmin(v.z, v.w)));
    part.most = fmax(part.most, fmax(fmax(v.x, v.y), fmax(v.z, v.w)));
#endif
#else
    const uint words[4] = {word.x, word.y, word.z, word.w};
    uint sum = 0;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
#ifdef WITH_SUM
#ifdef SAMPLE_UCHAR
        sum += (words[i] & 0x00ff00ffu) + (words[i] >> 8 & 0x00ff00ffu); // two sums side by side, 16 bits each
#else
        sum += (words[i] & 0xffffu) + (words[i] >> 16);
#endif
#endif
#ifdef WITH_EXTREMES
#pragma unroll
        for (int bit = 0; bit < 32; bit += 8 * (int)sizeof(Sample)) {
            const uint v = words[i] >> bit & ((1u << 8 * sizeof(Sample)) - 1);
            part.least = min(part.least, v);
            part.most = max(part.most, v);
        }
#endif
    }
#ifdef SAMPLE_UCHAR
    sum = (sum & 0xffffu) + (sum >> 16);
#endif
    part.sum += sum;
#endif
    return part;
}

// Rows begin at multiples of 16 bytes, and words reach into a row's padding: what lies there does not count.
//   parts   : PART_WORDS for each group.   counter : 0, and 0 again in the end
//   never   : 0; not knowing that, the compiler lets a group count itself only when its part has arrived
//   result  : PART_WORDS
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void statistics(__global const uchar *plane, int offset, int pitch, __global uint *parts, __global uint *counter,
                uint never, __global uint *result) {
    __local Part tree[GROUP];
    __local int last[1];
    const int item = get_local_id(0);
    Part part = nothing();
#pragma unroll 4
    for (int n = get_global_id(0); n < HEIGHT * ROW_WORDS; n += get_global_size(0)) {
        const int y = n / ROW_WORDS, x = n % ROW_WORDS;
        __global const uchar *row = plane + offset + (long)y * pitch;
        if (WIDTH % WORD_SAMPLES == 0 || x < ROW_WORDS - 1)
            part = with_word(part, ((__global const uint4 *)row)[x]);
        else
            for (int i = x * WORD_SAMPLES; i < WIDTH; ++i)
                part = with_value(part, ((__global const Sample *)row)[i]);
    }
    part = in_group(part, tree);
    if (item == 0) {
        const uint order = send(part, parts + PART_WORDS * get_group_id(0));
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        last[0] = atomic_add(counter, 1 + (order & never)) == get_num_groups(0) - 1;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (!last[0]) return;
    part = nothing();
    for (int n = item; n < get_num_groups(0); n += GROUP)
        part = joined(part, received(parts + PART_WORDS * n));
    part = in_group(part, tree);
    if (item == 0) {
        store(part, result);
        atomic_xchg(counter, 0);
    }
}

#else

#define VEC _Pragma("clang loop vectorize(assume_safety) vectorize_width(32)")

FN Part of_row(__global const Sample *row) {
    Part part = nothing();
#ifdef SAMPLE_FLOAT
    // A float sum may not be taken apart by the compiler: sixteen of them, side by side.
    float16 sum = 0.0f, least = INFINITY, most = -INFINITY;
    for (int x = 0; x < WIDTH / 16; ++x) {
        const float16 v = vload16(x, row);
        sum += v;
        least = fmin(least, v);
        most = fmax(most, v);
    }
    const float sums[16] = {sum.s0, sum.s1, sum.s2, sum.s3, sum.s4, sum.s5, sum.s6, sum.s7,
                            sum.s8, sum.s9, sum.sa, sum.sb, sum.sc, sum.sd, sum.se, sum.sf};
    for (int i = 0; i < 16; ++i)
        part.sum += sums[i];
    const float8 low = fmin(least.lo, least.hi), high = fmax(most.lo, most.hi);
    const float4 low4 = fmin(low.lo, low.hi), high4 = fmax(high.lo, high.hi);
    const float2 low2 = fmin(low4.lo, low4.hi), high2 = fmax(high4.lo, high4.hi);
    part.least = fmin(low2.x, low2.y);
    part.most = fmax(high2.x, high2.y);
    for (int x = WIDTH / 16 * 16; x < WIDTH; ++x)
        part = with_value(part, row[x]);
#else
    uint sum = 0, least = NO_LEAST, most = NO_MOST; // a row's sum fits 32 bits
    VEC for (int x = 0; x < WIDTH; ++x) {
        const uint v = row[x];
#ifdef WITH_SUM
        sum += v;
#endif
#ifdef WITH_EXTREMES
        least = min(least, v);
        most = max(most, v);
#endif
    }
    part.sum = sum;
    part.least = least;
    part.most = most;
#endif
    return part;
}

__kernel void statistics(__global const uchar *plane, int offset, int pitch, __global uint *parts,
                         __global uint *counter, uint never, __global uint *result) {
    Part part = nothing();
    for (int y = get_global_id(0); y < HEIGHT; y += get_global_size(0))
        part = joined(part, of_row((__global const Sample *)(plane + offset + (long)y * pitch)));
    const uint order = send(part, parts + PART_WORDS * get_group_id(0));
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    if (atomic_add(counter, 1 + (order & never)) != get_num_groups(0) - 1) return;
    part = nothing();
    for (int n = 0; n < get_num_groups(0); ++n)
        part = joined(part, received(parts + PART_WORDS * n));
    store(part, result);
    atomic_xchg(counter, 0);
}

#endif
