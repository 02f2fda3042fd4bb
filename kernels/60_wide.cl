// Several samples with one access, for shapes of GPUs. `row` begins on a multiple of 64 bytes, x is a multiple of the
// vector's length. inside: none of them lies beyond the row's samples 0..last; else those replicate the edge.
#ifdef WF_WIDE
#define WF_E(k) row[min(max(x + k, 0), last)]
#define WF_E4(k) WF_E(k), WF_E(k + 1), WF_E(k + 2), WF_E(k + 3)
#define WF_E8(k) WF_E4(k), WF_E4(k + 4)
#define WF_E16(k) WF_E8(k), WF_E8(k + 8)
// Both ways give whole words, W. Samples are taken out of them behind all loads, which then wait for memory together.
#define WF_LOAD(T, N, W)                                                                                               \
    FN T##N wf_load_##T##N(const __global T* row, const int x, const int last, const int inside) {                     \
        W words;                                                                                                       \
        if (inside)                                                                                                    \
            words = *(const __global W*)(row + x);                                                                     \
        else                                                                                                           \
            words = as_##W((T##N)(WF_E##N(0)));                                                                        \
        return as_##T##N(words);                                                                                       \
    }
WF_LOAD(uchar, 4, uint)
WF_LOAD(uchar, 8, uint2)
WF_LOAD(uchar, 16, uint4)
WF_LOAD(ushort, 4, uint2)
WF_LOAD(ushort, 8, uint4)
WF_LOAD(short, 4, uint2)
WF_LOAD(short, 8, uint4)
WF_LOAD(float, 4, uint4)

// Samples x, x + 1, ... of a row where x is any: two words of 16 bytes, shifted. Beyond an edge they replicate it.
FN uint wf_between(const uint low, const uint high, const int bits) {
    return (uint)((((ulong)high << 32) | low) >> bits);
}
FN uint4 wf_shifted(const uint4 low, const uint4 high, const int bytes) {
    const int two = bytes & 8, one = bytes & 4, bits = (bytes & 3) * 8;
    const uint a = two ? low.z : low.x, b = two ? low.w : low.y, c = two ? high.x : low.z, d = two ? high.y : low.w,
               e = two ? high.z : high.x, f = two ? high.w : high.y;
    const uint p = one ? b : a, q = one ? c : b, r = one ? d : c, s = one ? e : d, t = one ? f : e;
    return (uint4)(wf_between(p, q, bits), wf_between(q, r, bits), wf_between(r, s, bits), wf_between(s, t, bits));
}
// Both words hold a sample, so both are the row's, whose end is that of a word.
#define WF_RUN(T, N)                                                                                                   \
    FN T##N wf_run_##T##N(const __global T* row, const int x, const int last) {                                        \
        const int first = x & -N;                                                                                      \
        uint4 words;                                                                                                   \
        if (x >= 0 && x + N - 1 <= last) {                                                                             \
            const __global uint4* from = (const __global uint4*)(row + first);                                         \
            words = wf_shifted(from[0], from[x > first], (x - first) * (int)sizeof(T));                                \
        } else if (x > last || x + N <= 0) {                                                                           \
            words = as_uint4((T##N)(row[x > last ? last : 0]));                                                        \
        } else {                                                                                                       \
            words = as_uint4((T##N)(WF_E##N(0)));                                                                      \
        }                                                                                                              \
        return as_##T##N(words);                                                                                       \
    }
WF_RUN(uchar, 16)
WF_RUN(ushort, 8)
#endif
