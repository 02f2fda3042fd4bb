// The plain tree: a work-item a sample, halves of the group added to each other, a part for each group; then a second
// launch over the parts. PARTS: the second launch, whose samples are floats. TOTAL: samples. GX: the group.
#ifdef PARTS
#define VALUE(n) in[n]
__kernel __attribute__((reqd_work_group_size(GX, 1, 1)))
void reduce(__global const float *in, __global float *out) {
#else
#define VALUE(n) (float)in[n]
__kernel __attribute__((reqd_work_group_size(GX, 1, 1)))
void reduce(__global const SAMPLE *in, __global float *out) {
#endif
    __local float tree[GX];
    const int item = get_local_id(0);
#ifdef PARTS
    float sum = 0.0f;
    for (int n = item; n < TOTAL; n += GX)
        sum += VALUE(n);
    tree[item] = sum;
#else
    const int n = get_global_id(0);
    tree[item] = n < TOTAL ? VALUE(n) : 0.0f;
#endif
    for (int width = GX / 2; width > 0; width /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item < width) tree[item] += tree[item + width];
    }
    if (item == 0) out[get_group_id(0)] = tree[0];
}
