// A tile goes through local memory, so that both sides of it touch whole lines. With PADDING 0, a column of the tile
// lies in one memory bank and is read a sample at a time; with 1, in as many banks as it has samples. TILE a multiple
// of GY; GX is TILE.
__kernel __attribute__((reqd_work_group_size(GX, GY, 1)))
void transpose(__global const SAMPLE *restrict in, __global SAMPLE *restrict out) {
    __local SAMPLE tile[TILE][TILE + PADDING];
    const int lx = get_local_id(0), ly = get_local_id(1);
    const int x = get_group_id(0) * TILE, y = get_group_id(1) * TILE;
#pragma unroll
    for (int row = 0; row < TILE; row += GY)
        tile[row + ly][lx] = in[(y + row + ly) * PITCH + x + lx];
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (int row = 0; row < TILE; row += GY)
        out[(x + row + ly) * OUT_PITCH + y + lx] = tile[lx][row + ly];
}
