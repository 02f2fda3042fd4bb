// Looking values up: curves, colour tables and pictures. Branch-free, and one word a look-up: gathers are the cost.

// Six floats: for red, green and blue a factor and an offset.
typedef struct { float f0, f1, f2, f3, f4, f5; } wf_floats6;
FN Px wf_affine6(Px v, wf_floats6 d) {
    return px_make(v.r * d.f0 + d.f1, v.g * d.f2 + d.f3, v.b * d.f4 + d.f5, v.a);
}

// A place between samples i and i + 1 of n, i in 0 .. n-2, at the part f, 0..1.
typedef struct { int i; float f; } wf_place;
FN wf_place wf_place_of(float at, const int n) {
    float s = wf_clamp(at, 0.0f, (float)(n - 1));
    int i = wf_mini((int)s, n - 2);
    wf_place p = {i, s - (float)i};
    return p;
}

// One curve of n samples: value in the low half of a word, step to the next in the high one.
FN float wf_curve(const __global ulong* restrict t, const int n, float at) {
    wf_place p = wf_place_of(at, n);
    ulong w = t[p.i];
    return as_float((uint)w) + as_float((uint)(w >> 32)) * p.f;
}

// Three curves of n samples, red's at t, green's at t + n, blue's at t + 2 n; flat beyond their ends.
//   d : brings a value to samples, 0 .. n-1
FN Px wf_curves(Px v, const __global ulong* restrict t, const int n, wf_floats6 d) {
    Px s = wf_affine6(v, d);
    return px_make(wf_curve(t, n, s.r), wf_curve(t + n, n, s.g), wf_curve(t + 2 * n, n, s.b), v.a);
}

// Colour tables of n nodes an axis: node (r, g, b) is word r + n * (g + n * b), 21 bits a component, red lowest.
//   d : brings a value to nodes, 0 .. n-1
//   o : brings the 21 bits to values
FN Px wf_node(const __global ulong* restrict t, int node) {
    ulong w = t[node];
    int r = (int)w & 0x1fffff, g = (int)(w >> 21) & 0x1fffff, b = (int)(w >> 42);
    return px_make((float)r, (float)g, (float)b, 0.0f);
}

FN Px wf_lut_nearest(Px v, const __global ulong* restrict t, const int n, wf_floats6 d, wf_floats6 o) {
    Px s = wf_affine6(v, d);
    float last = (float)(n - 1);
    int r = (int)(wf_clamp(s.r, 0.0f, last) + 0.5f);
    int g = (int)(wf_clamp(s.g, 0.0f, last) + 0.5f);
    int b = (int)(wf_clamp(s.b, 0.0f, last) + 0.5f);
    Px p = wf_affine6(wf_node(t, r + n * (g + n * b)), o);
    p.a = v.a;
    return p;
}

FN Px wf_lut_trilinear(Px v, const __global ulong* restrict t, const int n, wf_floats6 d, wf_floats6 o) {
    Px s = wf_affine6(v, d);
    wf_place r = wf_place_of(s.r, n), g = wf_place_of(s.g, n), b = wf_place_of(s.b, n);
    const __global ulong* near = t + r.i + n * (g.i + n * b.i);
    const __global ulong* far = near + n * n;
    Px n0 = px_mix(wf_node(near, 0), wf_node(near, 1), r.f);
    Px n1 = px_mix(wf_node(near, n), wf_node(near, n + 1), r.f);
    Px f0 = px_mix(wf_node(far, 0), wf_node(far, 1), r.f);
    Px f1 = px_mix(wf_node(far, n), wf_node(far, n + 1), r.f);
    Px p = wf_affine6(px_mix(px_mix(n0, n1, g.f), px_mix(f0, f1, g.f), b.f), o);
    p.a = v.a;
    return p;
}

// From the low corner of the cell to the high one along the axes in falling order of their parts: four nodes.
FN Px wf_lut_tetrahedral(Px v, const __global ulong* restrict t, const int n, wf_floats6 d, wf_floats6 o) {
    Px s = wf_affine6(v, d);
    wf_place r = wf_place_of(s.r, n), g = wf_place_of(s.g, n), b = wf_place_of(s.b, n);
    const int to_g = n, to_b = n * n, to_far = 1 + to_g + to_b;
    float high = fmax(fmax(r.f, g.f), b.f);
    float low = fmin(fmin(r.f, g.f), b.f);
    float middle = fmax(fmin(r.f, g.f), fmin(fmax(r.f, g.f), b.f));
    // Where parts are equal either axis will do: the node between has the weight 0.
    int first = r.f >= high ? 1 : g.f >= high ? to_g : to_b;
    int last = b.f <= low ? to_b : g.f <= low ? to_g : 1;
    int i = r.i + n * (g.i + n * b.i);
    Px p = px_add(px_add(px_scale(wf_node(t, i), 1.0f - high), px_scale(wf_node(t, i + first), high - middle)),
                  px_add(px_scale(wf_node(t, i + to_far - last), middle - low), px_scale(wf_node(t, i + to_far), low)));
    p = wf_affine6(p, o);
    p.a = v.a;
    return p;
}

// A picture of w x h samples at x, y in 0..1, between its samples, whose centres lie at (i + 0.5) / w; edges repeat.
FN float wf_picture_at(const __global float* restrict t, const int w, const int h, float x, float y) {
    float u = wf_clamp(x * (float)w - 0.5f, 0.0f, (float)(w - 1));
    float v = wf_clamp(y * (float)h - 0.5f, 0.0f, (float)(h - 1));
    int i = (int)u, j = (int)v;
    // The step to the right and down is 0 at the last sample, so that nothing is read beyond the picture.
    int right = wf_mini(i + 1, w - 1) - i, down = (wf_mini(j + 1, h - 1) - j) * w;
    const __global float* q = t + i + j * w;
    float f = u - (float)i;
    return wf_mix(wf_mix(q[0], q[right], f), wf_mix(q[down], q[right + down], f), v - (float)j);
}
