// How often each of BINS values occurs in a plane, in one launch: every group counts and adds its counts to `sums`; the
// last one to come to its end moves these to the result.
// Names put before the text: WIDTH, HEIGHT in samples; SAMPLE_UCHAR, SAMPLE_USHORT or SAMPLE_FLOAT; DEPTH, bits of
// an integer sample; GROUP, the work-items of a group: 1 on processors, where an item takes whole rows; COPIES,
// counters of a bin in a group's local memory.
#define BINS 256
#if defined(SAMPLE_FLOAT)
typedef float Sample;
#define BIN(v) clamp((int)((v) * BINS), 0, BINS - 1) // of 0..1
#else
#ifdef SAMPLE_UCHAR
typedef uchar Sample;
#else
typedef ushort Sample;
#endif
#if DEPTH > 8
#define BIN(v) min((int)(v) >> (DEPTH - 8), BINS - 1)
#else
#define BIN(v) ((int)(v))
#endif
#endif
#define WORD_SAMPLES (16 / (int)sizeof(Sample))
#define ROW_WORDS ((WIDTH + WORD_SAMPLES - 1) / WORD_SAMPLES)

#if GROUP > 1

//   sums, counter : 0, and 0 again in the end
//   never  : 0; not knowing that, the compiler lets a group count itself only when its counts have arrived
//   result : BINS
// Neighbouring items have counters of their own, in memory banks of their own: pictures are full of equal samples.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void histogram(__global const uchar *plane, int offset, int pitch, __global uint *sums, __global uint *counter,
               uint never, __global uint *result) {
    __local uint counts[BINS * COPIES];
    __local uint arrived[1];
    __local int last[1];
    const int item = get_local_id(0);
    for (int i = item; i < BINS * COPIES; i += GROUP)
        counts[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    __local uint *own = counts + item % COPIES;
#define COUNT(v) atomic_inc(own + BIN(v) * COPIES)
    for (int n = get_global_id(0); n < HEIGHT * ROW_WORDS; n += get_global_size(0)) {
        const int y = n / ROW_WORDS, x = n % ROW_WORDS;
        __global const uchar *row = plane + offset + (long)y * pitch;
        if (WIDTH % WORD_SAMPLES == 0 || x < ROW_WORDS - 1) {
            const uint4 word = ((__global const uint4 *)row)[x];
            const uint words[4] = {word.x, word.y, word.z, word.w};
#pragma unroll
            for (int i = 0; i < 4; ++i) {
#if defined(SAMPLE_FLOAT)
                COUNT(as_float(words[i]));
#elif defined(SAMPLE_UCHAR)
                COUNT(words[i] & 255);
                COUNT(words[i] >> 8 & 255);
                COUNT(words[i] >> 16 & 255);
                COUNT(words[i] >> 24);
#else
                COUNT(words[i] & 0xffff);
                COUNT(words[i] >> 16);
#endif
            }
        } else {
            for (int i = x * WORD_SAMPLES; i < WIDTH; ++i)
                COUNT(((__global const Sample *)row)[i]);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    uint order = 0;
    for (int bin = item; bin < BINS; bin += GROUP) {
        uint count = 0;
        for (int copy = 0; copy < COPIES; ++copy) // begun at the own bank
            count += counts[bin * COPIES + (copy + item) % COPIES];
        order |= atomic_add(sums + bin, count);
    }
    arrived[0] = order & never; // 0, whoever writes it
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item == 0) last[0] = atomic_add(counter, 1 + arrived[0]) == get_num_groups(0) - 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (!last[0]) return;
    for (int bin = item; bin < BINS; bin += GROUP)
        result[bin] = atomic_xchg(sums + bin, 0);
    if (item == 0) atomic_xchg(counter, 0);
}

#else

__kernel void histogram(__global const uchar *plane, int offset, int pitch, __global uint *sums,
                        __global uint *counter, uint never, __global uint *result) {
    // Equal neighbours would wait for each other's counter.
    uint counts[COPIES][BINS];
    for (int copy = 0; copy < COPIES; ++copy)
        for (int bin = 0; bin < BINS; ++bin)
            counts[copy][bin] = 0;
    for (int y = get_global_id(0); y < HEIGHT; y += get_global_size(0)) {
        __global const Sample *row = (__global const Sample *)(plane + offset + (long)y * pitch);
        int x = 0;
        for (; x + COPIES <= WIDTH; x += COPIES)
#pragma unroll
            for (int copy = 0; copy < COPIES; ++copy)
                ++counts[copy][BIN(row[x + copy])];
        for (; x < WIDTH; ++x)
            ++counts[0][BIN(row[x])];
    }
    uint order = 0;
    for (int bin = 0; bin < BINS; ++bin) {
        uint count = 0;
        for (int copy = 0; copy < COPIES; ++copy)
            count += counts[copy][bin];
        order |= atomic_add(sums + bin, count);
    }
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    if (atomic_add(counter, 1 + (order & never)) != get_num_groups(0) - 1) return;
    for (int bin = 0; bin < BINS; ++bin)
        result[bin] = atomic_xchg(sums + bin, 0);
    atomic_xchg(counter, 0);
}

#endif
