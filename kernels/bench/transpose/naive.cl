// A work-item a sample: neighbours read neighbours, but write a line apart from each other.
__kernel void transpose(__global const SAMPLE *restrict in, __global SAMPLE *restrict out) {
    const int x = get_global_id(0), y = get_global_id(1);
    out[x * OUT_PITCH + y] = in[y * PITCH + x];
}
