// Several samples with one access, for shapes of GPUs. `row` begins on a multiple of 64 bytes, x is a multiple of the
// vector's length. inside: none of them lies beyond the row's samples 0..last; else those replicate the edge.
#ifdef WF_WIDE
#define WF_E(k) row[min(max(x + k, 0), last)]
#define WF_E4(k) WF_E(k), WF_E(k + 1), WF_E(k + 2), WF_E(k + 3)
#define WF_E8(k) WF_E4(k), WF_E4(k + 4)
#define WF_E16(k) WF_E8(k), WF_E8(k + 8)
// wf_load: both ways give whole words, W, and their samples are taken out behind them. wf_take: samples are taken
// out at once; each access is then waited for where it stands, which few of them do better with (measured).
#define WF_LOAD(T, N, W)                                                                                               \
    FN T##N wf_load_##T##N(const __global T* row, const int x, const int last, const int inside) {                     \
        W words;                                                                                                       \
        if (inside)                                                                                                    \
            words = *(const __global W*)(row + x);                                                                     \
        else                                                                                                           \
            words = as_##W((T##N)(WF_E##N(0)));                                                                        \
        return as_##T##N(words);                                                                                       \
    }                                                                                                                  \
    FN T##N wf_take_##T##N(const __global T* row, const int x, const int last, const int inside) {                     \
        if (inside) return *(const __global T##N*)(row + x);                                                           \
        return (T##N)(WF_E##N(0));                                                                                     \
    }
WF_LOAD(uchar, 4, uint)
WF_LOAD(uchar, 8, uint2)
WF_LOAD(uchar, 16, uint4)
WF_LOAD(ushort, 4, uint2)
WF_LOAD(ushort, 8, uint4)
WF_LOAD(short, 4, uint2)
WF_LOAD(short, 8, uint4)
WF_LOAD(float, 4, uint4)

// Samples x, x + 1, ... of a row where x is any. Whole words are read and shifted; a word past the last sample is not
// touched. Beyond an edge they replicate it.
FN uint wf_between(const uint low, const uint high, const int bits) {
    return (uint)((((ulong)high << 32) | low) >> bits);
}
#define WF_RUN(T, N)                                                                                                   \
    FN T##N wf_run_##T##N(const __global T* row, const int x, const int last) {                                        \
        const int each = 4 / (int)sizeof(T), first = x & -each, bits = (x - first) * (32 / each);                      \
        if (x >= 0 && first + N + each - 1 <= last) {                                                                  \
            const __global uint* w = (const __global uint*)(row + first);                                              \
            const uint a = w[0], b = w[1], c = w[2], d = w[3], e = w[4];                                               \
            return as_##T##N((uint4)(wf_between(a, b, bits), wf_between(b, c, bits), wf_between(c, d, bits),           \
                                     wf_between(d, e, bits)));                                                         \
        }                                                                                                              \
        if (x > last || x + N <= 0) return (T##N)(row[x > last ? last : 0]);                                           \
        return (T##N)(WF_E##N(0));                                                                                     \
    }
WF_RUN(uchar, 16)
WF_RUN(ushort, 8)
#endif
