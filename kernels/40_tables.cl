// Looking values up: curves, colour tables and pictures. All branch-free: the gathers are the cost.

// Brings r, g, b to a table's samples 0 .. n-1: factor and offset of red, green, blue.
typedef struct { float f0, f1, f2, f3, f4, f5; } wf_floats6;

// A value between samples i and i + 1, i in 0 .. n-2, at the part f, 0..1.
typedef struct { int i; float f; } wf_place;
FN wf_place wf_place_of(float at, const int n) {
    float s = fmin(fmax(at, 0.0f), (float)(n - 1));
    int i = min((int)s, n - 2);
    wf_place p = {i, s - (float)i};
    return p;
}

// One curve of n samples.
FN float wf_curve(const __global float* restrict t, const int n, float at) {
    wf_place p = wf_place_of(at, n);
    const __global float* q = t + p.i;
    return wf_mix(q[0], q[1], p.f);
}

// Three curves of n samples, red's at t, green's at t + n, blue's at t + 2 n; flat beyond their ends.
FN Px wf_curves(Px v, const __global float* restrict t, const int n, wf_floats6 d) {
    return px_make(wf_curve(t, n, v.r * d.f0 + d.f1), wf_curve(t + n, n, v.g * d.f2 + d.f3),
                   wf_curve(t + 2 * n, n, v.b * d.f4 + d.f5), v.a);
}

// A node of a colour table of n nodes an axis: node (r, g, b) has the number r + n * (g + n * b).
FN Px wf_node(const __global float* restrict t, int node, float a) {
    const __global float* q = t + 3 * node;
    return px_make(q[0], q[1], q[2], a);
}

FN Px wf_lut_nearest(Px v, const __global float* restrict t, const int n, wf_floats6 d) {
    int r = (int)(fmin(fmax(v.r * d.f0 + d.f1, 0.0f), (float)(n - 1)) + 0.5f);
    int g = (int)(fmin(fmax(v.g * d.f2 + d.f3, 0.0f), (float)(n - 1)) + 0.5f);
    int b = (int)(fmin(fmax(v.b * d.f4 + d.f5, 0.0f), (float)(n - 1)) + 0.5f);
    return wf_node(t, r + n * (g + n * b), v.a);
}

FN Px wf_lut_trilinear(Px v, const __global float* restrict t, const int n, wf_floats6 d) {
    wf_place r = wf_place_of(v.r * d.f0 + d.f1, n);
    wf_place g = wf_place_of(v.g * d.f2 + d.f3, n);
    wf_place b = wf_place_of(v.b * d.f4 + d.f5, n);
    int i = r.i + n * (g.i + n * b.i);
    Px x00 = px_mix(wf_node(t, i, v.a), wf_node(t, i + 1, v.a), r.f);
    Px x10 = px_mix(wf_node(t, i + n, v.a), wf_node(t, i + n + 1, v.a), r.f);
    i += n * n;
    Px x01 = px_mix(wf_node(t, i, v.a), wf_node(t, i + 1, v.a), r.f);
    Px x11 = px_mix(wf_node(t, i + n, v.a), wf_node(t, i + n + 1, v.a), r.f);
    Px o = px_mix(px_mix(x00, x10, g.f), px_mix(x01, x11, g.f), b.f);
    o.a = v.a;
    return o;
}

// From the low corner of the cell to the high one along the axes in falling order of their parts.
FN Px wf_lut_tetrahedral(Px v, const __global float* restrict t, const int n, wf_floats6 d) {
    wf_place r = wf_place_of(v.r * d.f0 + d.f1, n);
    wf_place g = wf_place_of(v.g * d.f2 + d.f3, n);
    wf_place b = wf_place_of(v.b * d.f4 + d.f5, n);
    int i = r.i + n * (g.i + n * b.i);
    float high = fmax(fmax(r.f, g.f), b.f);
    float low = fmin(fmin(r.f, g.f), b.f);
    float middle = fmax(fmin(r.f, g.f), fmin(fmax(r.f, g.f), b.f));
    int first = r.f >= high ? 1 : g.f >= high ? n : n * n;
    int last = b.f <= low ? n * n : g.f <= low ? n : 1;
    Px c0 = wf_node(t, i, 0.0f), c1 = wf_node(t, i + first, 0.0f);
    Px c2 = wf_node(t, i + 1 + n + n * n - last, 0.0f), c3 = wf_node(t, i + 1 + n + n * n, 0.0f);
    Px o = px_add(px_add(px_scale(c0, 1.0f - high), px_scale(c1, high - middle)),
                  px_add(px_scale(c2, middle - low), px_scale(c3, low)));
    o.a = v.a;
    return o;
}

// A picture of w x h samples at x, y in 0..1, between its samples, whose centres lie at (i + 0.5) / w; edges repeat.
FN float wf_picture_at(const __global float* restrict t, const int w, const int h, float x, float y) {
    float u = fmin(fmax(x * (float)w - 0.5f, 0.0f), (float)(w - 1));
    float v = fmin(fmax(y * (float)h - 0.5f, 0.0f), (float)(h - 1));
    int i = (int)u, j = (int)v;
    // The step to the right and down is 0 at the last sample, so that nothing is read beyond the picture.
    int right = min(i + 1, w - 1) - i, down = (min(j + 1, h - 1) - j) * w;
    const __global float* q = t + i + j * w;
    float f = u - (float)i;
    return wf_mix(wf_mix(q[0], q[right], f), wf_mix(q[down], q[right + down], f), v - (float)j);
}
