// Bytes, four at a time: a work-item turns blocks of 4 x 4 in registers, and a tile of 128 x 128 goes through local
// memory as words. GX is 32, GY divides it. Word `by` of line 4 * bx + i stands at [i][bx][by], so that neither the
// writing across bx nor the reading across by meets a bank twice.
__kernel __attribute__((reqd_work_group_size(GX, GY, 1)))
void transpose(__global const uchar *restrict in, __global uchar *restrict out) {
    __local uint tile[4][32][33];
    const int lx = get_local_id(0), ly = get_local_id(1);
    const int x = get_group_id(0) * 128, y = get_group_id(1) * 128;
#pragma unroll
    for (int by = ly; by < 32; by += GY) {
        __global const uint *from = (__global const uint *)(in + (y + 4 * by) * PITCH + x) + lx;
        const uint a = from[0], b = from[PITCH / 4], c = from[2 * PITCH / 4], d = from[3 * PITCH / 4];
        // Bytes of two lines side by side, then of four.
        const uint ab0 = (a & 0x00ff00ffu) | (b & 0x00ff00ffu) << 8, ab1 = (a >> 8 & 0x00ff00ffu) | (b & 0xff00ff00u);
        const uint cd0 = (c & 0x00ff00ffu) | (d & 0x00ff00ffu) << 8, cd1 = (c >> 8 & 0x00ff00ffu) | (d & 0xff00ff00u);
        tile[0][lx][by] = (ab0 & 0xffffu) | cd0 << 16;
        tile[1][lx][by] = (ab1 & 0xffffu) | cd1 << 16;
        tile[2][lx][by] = ab0 >> 16 | (cd0 & 0xffff0000u);
        tile[3][lx][by] = ab1 >> 16 | (cd1 & 0xffff0000u);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (int bx = ly; bx < 32; bx += GY)
#pragma unroll
        for (int i = 0; i < 4; ++i)
            ((__global uint *)(out + (x + 4 * bx + i) * OUT_PITCH + y))[lx] = tile[i][bx][lx];
}
