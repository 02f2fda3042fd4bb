// Rows to columns, in squares of 16 bytes by as many rows, which stay in registers: interleaving the first half of
// the rows with the second half as often as halves can be made turns a square over. The steps are written out,
// without loops over arrays, which compilers would leave in memory.

// Of two rows a and b, a0 b0 a1 b1 ... of their first or second halves.
#ifdef WF_CLANG
#define WF_LOW16(a, b) __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
#define WF_HIGH16(a, b) __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)
#define WF_LOW8(a, b) __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11)
#define WF_HIGH8(a, b) __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15)
#define WF_LOW4(a, b) __builtin_shufflevector(a, b, 0, 4, 1, 5)
#define WF_HIGH4(a, b) __builtin_shufflevector(a, b, 2, 6, 3, 7)
#else
#define WF_LOW16(a, b)                                                                                                 \
    (uchar16)(a.s0, b.s0, a.s1, b.s1, a.s2, b.s2, a.s3, b.s3, a.s4, b.s4, a.s5, b.s5, a.s6, b.s6, a.s7, b.s7)
#define WF_HIGH16(a, b)                                                                                                \
    (uchar16)(a.s8, b.s8, a.s9, b.s9, a.sa, b.sa, a.sb, b.sb, a.sc, b.sc, a.sd, b.sd, a.se, b.se, a.sf, b.sf)
#define WF_LOW8(a, b) (ushort8)(a.s0, b.s0, a.s1, b.s1, a.s2, b.s2, a.s3, b.s3)
#define WF_HIGH8(a, b) (ushort8)(a.s4, b.s4, a.s5, b.s5, a.s6, b.s6, a.s7, b.s7)
#define WF_LOW4(a, b) (uint4)(a.s0, b.s0, a.s1, b.s1)
#define WF_HIGH4(a, b) (uint4)(a.s2, b.s2, a.s3, b.s3)
#endif
// GPUs have their lines on multiples of 64 bytes, processors anywhere.
#ifdef WF_CLANG
typedef uchar wf_uchar16 __attribute__((ext_vector_type(16), aligned(1)));
typedef ushort wf_ushort8 __attribute__((ext_vector_type(8), aligned(1)));
typedef uint wf_uint4 __attribute__((ext_vector_type(4), aligned(1)));
#define WF_SQUARE(T, N, p) (*(__global wf_##T##N*)(p))
#define WF_CONST_SQUARE(T, N, p) (*(const __global wf_##T##N*)(p))
#else
#define WF_SQUARE(T, N, p) (*(__global T##N*)(p))
#define WF_CONST_SQUARE(T, N, p) (*(const __global T##N*)(p))
#endif

#define WF_GET(i, T, N) const T##N a##i = WF_CONST_SQUARE(T, N, from + i * from_pitch);
#define WF_PUT(i, T, N, v) WF_SQUARE(T, N, to + i * to_pitch) = v##i;
#define WF_ZIP(T, N, to, i, j, from, k, l)                                                                             \
    const T##N to##i = WF_LOW##N(from##k, from##l), to##j = WF_HIGH##N(from##k, from##l);
// to(x, y) = from(y, x) for a square; pitches in bytes.
#ifdef WF_WIDE
// Squares of 8 bytes: those of 16 take all registers of a GPU's work-item. Words of four rows, of which bytes are
// exchanged between neighbours, then pairs of bytes.
#define WF_SWAP_BYTES(i, j, m)                                                                                         \
    {                                                                                                                  \
        const uint x = (a##i.m >> 8 ^ a##j.m) & 0x00ff00ffu;                                                           \
        a##i.m ^= x << 8;                                                                                              \
        a##j.m ^= x;                                                                                                   \
    }
#define WF_SWAP_PAIRS(i, j, m)                                                                                         \
    {                                                                                                                  \
        const uint low = (a##i.m & 0xffffu) | a##j.m << 16, high = a##i.m >> 16 | (a##j.m & 0xffff0000u);              \
        a##i.m = low;                                                                                                  \
        a##j.m = high;                                                                                                 \
    }
#define WF_TURN_WORDS(i, j, k, l, m)                                                                                   \
    WF_SWAP_BYTES(i, j, m) WF_SWAP_BYTES(k, l, m) WF_SWAP_PAIRS(i, k, m) WF_SWAP_PAIRS(j, l, m)
#define WF_GET_WORDS(i) uint2 a##i = *(const __global uint2*)(from + i * from_pitch);
#define WF_PUT_WORDS(i, u, v, m) *(__global uint2*)(to + i * to_pitch) = (uint2)(a##u.m, a##v.m);
FN void wf_turn_uchar(const __global uchar* from, const int from_pitch, __global uchar* to, const int to_pitch) {
    WF_GET_WORDS(0) WF_GET_WORDS(1) WF_GET_WORDS(2) WF_GET_WORDS(3)
    WF_GET_WORDS(4) WF_GET_WORDS(5) WF_GET_WORDS(6) WF_GET_WORDS(7)
    WF_TURN_WORDS(0, 1, 2, 3, x) WF_TURN_WORDS(0, 1, 2, 3, y)
    WF_TURN_WORDS(4, 5, 6, 7, x) WF_TURN_WORDS(4, 5, 6, 7, y)
    WF_PUT_WORDS(0, 0, 4, x) WF_PUT_WORDS(1, 1, 5, x) WF_PUT_WORDS(2, 2, 6, x) WF_PUT_WORDS(3, 3, 7, x)
    WF_PUT_WORDS(4, 0, 4, y) WF_PUT_WORDS(5, 1, 5, y) WF_PUT_WORDS(6, 2, 6, y) WF_PUT_WORDS(7, 3, 7, y)
}
#else
#define WF_STAGE16(to, from) \
    WF_ZIP(uchar, 16, to, 0, 1, from, 0, 8) \
    WF_ZIP(uchar, 16, to, 2, 3, from, 1, 9) \
    WF_ZIP(uchar, 16, to, 4, 5, from, 2, 10) \
    WF_ZIP(uchar, 16, to, 6, 7, from, 3, 11) \
    WF_ZIP(uchar, 16, to, 8, 9, from, 4, 12) \
    WF_ZIP(uchar, 16, to, 10, 11, from, 5, 13) \
    WF_ZIP(uchar, 16, to, 12, 13, from, 6, 14) \
    WF_ZIP(uchar, 16, to, 14, 15, from, 7, 15)
FN void wf_turn_uchar(const __global uchar* from, const int from_pitch, __global uchar* to, const int to_pitch) {
    WF_GET(0, uchar, 16) WF_GET(1, uchar, 16) WF_GET(2, uchar, 16) WF_GET(3, uchar, 16)
    WF_GET(4, uchar, 16) WF_GET(5, uchar, 16) WF_GET(6, uchar, 16) WF_GET(7, uchar, 16)
    WF_GET(8, uchar, 16) WF_GET(9, uchar, 16) WF_GET(10, uchar, 16) WF_GET(11, uchar, 16)
    WF_GET(12, uchar, 16) WF_GET(13, uchar, 16) WF_GET(14, uchar, 16) WF_GET(15, uchar, 16)
    WF_STAGE16(b, a)
    WF_STAGE16(c, b)
    WF_STAGE16(d, c)
    WF_STAGE16(e, d)
    WF_PUT(0, uchar, 16, e) WF_PUT(1, uchar, 16, e) WF_PUT(2, uchar, 16, e) WF_PUT(3, uchar, 16, e)
    WF_PUT(4, uchar, 16, e) WF_PUT(5, uchar, 16, e) WF_PUT(6, uchar, 16, e) WF_PUT(7, uchar, 16, e)
    WF_PUT(8, uchar, 16, e) WF_PUT(9, uchar, 16, e) WF_PUT(10, uchar, 16, e) WF_PUT(11, uchar, 16, e)
    WF_PUT(12, uchar, 16, e) WF_PUT(13, uchar, 16, e) WF_PUT(14, uchar, 16, e) WF_PUT(15, uchar, 16, e)
}
#endif
#define WF_STAGE8(to, from) \
    WF_ZIP(ushort, 8, to, 0, 1, from, 0, 4) \
    WF_ZIP(ushort, 8, to, 2, 3, from, 1, 5) \
    WF_ZIP(ushort, 8, to, 4, 5, from, 2, 6) \
    WF_ZIP(ushort, 8, to, 6, 7, from, 3, 7)
FN void wf_turn_ushort(const __global uchar* from, const int from_pitch, __global uchar* to, const int to_pitch) {
    WF_GET(0, ushort, 8) WF_GET(1, ushort, 8) WF_GET(2, ushort, 8) WF_GET(3, ushort, 8)
    WF_GET(4, ushort, 8) WF_GET(5, ushort, 8) WF_GET(6, ushort, 8) WF_GET(7, ushort, 8)
    WF_STAGE8(b, a)
    WF_STAGE8(c, b)
    WF_STAGE8(d, c)
    WF_PUT(0, ushort, 8, d) WF_PUT(1, ushort, 8, d) WF_PUT(2, ushort, 8, d) WF_PUT(3, ushort, 8, d)
    WF_PUT(4, ushort, 8, d) WF_PUT(5, ushort, 8, d) WF_PUT(6, ushort, 8, d) WF_PUT(7, ushort, 8, d)
}
#define WF_STAGE4(to, from) \
    WF_ZIP(uint, 4, to, 0, 1, from, 0, 2) \
    WF_ZIP(uint, 4, to, 2, 3, from, 1, 3)
FN void wf_turn_uint(const __global uchar* from, const int from_pitch, __global uchar* to, const int to_pitch) {
    WF_GET(0, uint, 4) WF_GET(1, uint, 4) WF_GET(2, uint, 4) WF_GET(3, uint, 4)
    WF_STAGE4(b, a)
    WF_STAGE4(c, b)
    WF_PUT(0, uint, 4, c) WF_PUT(1, uint, 4, c) WF_PUT(2, uint, 4, c) WF_PUT(3, uint, 4, c)
}

// The same for w columns and h rows of `from`, whose samples are `step` elements apart. Not for vectors: they would
// be for the rows of a square, behind checks that cost more.
#ifdef WF_CLANG
#define WF_SCALAR _Pragma("clang loop vectorize(disable)")
#else
#define WF_SCALAR
#endif
#define WF_TURN_PART(T)                                                                                                \
    FN void wf_turn_part_##T(const __global uchar* from, const int from_pitch, const int step, __global uchar* to,     \
                             const int to_pitch, const int w, const int h) {                                           \
        for (int x = 0; x < w; x++)                                                                                    \
            WF_SCALAR for (int y = 0; y < h; y++)                                                                      \
                ((__global T*)(to + x * to_pitch))[y] = ((const __global T*)(from + y * from_pitch))[x * step];        \
    }
WF_TURN_PART(uchar)
WF_TURN_PART(ushort)
WF_TURN_PART(uint)
