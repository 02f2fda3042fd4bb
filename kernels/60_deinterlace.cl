// A line that the field shown lacks, from the lines above and below it and from the fields before and behind, on
// whole codes. Source: BBC Research, PH-2071 (M. Weston's three-field interpolation), with the limits and the
// coefficients of FFmpeg's filter bwdif, whose results these are.

FN int wf_least(int a, int b) { return a < b ? a : b; }
FN int wf_most(int a, int b) { return a > b ? a : b; }
FN int wf_size(int a) { return a < 0 ? -a : a; }

// From this field alone: c, e the lines above and below, c3, e3 those three lines away.
FN int wf_field_spatial(int c, int e, int c3, int e3) {
    return (5077 * (c + e) - 981 * (c3 + e3)) >> 13;
}
// The low frequencies from this field, the high ones from the other one before (p) and behind (n): its sums there,
// two lines away and four lines away.
FN int wf_field_temporal(int c, int e, int c3, int e3, int here, int two, int four) {
    return (((5570 * here - 3801 * two + 1016 * four) >> 2) + 4309 * (c + e) - 213 * (c3 + e3)) >> 13;
}
// How much moves: between p and n; between c, e and the same lines of the pictures before and behind.
FN int wf_field_motion(int p, int n, int c, int e, int before_c, int before_e, int behind_c, int behind_e) {
    int before = (wf_size(before_c - c) + wf_size(before_e - e)) >> 1;
    int behind = (wf_size(behind_c - c) + wf_size(behind_e - e)) >> 1;
    return wf_most(wf_size(p - n) >> 1, wf_most(before, behind));
}
// The same, widened where a line between c and e can well be an edge: two and -two lines away the other field has
// `above` and `below`, here its mean is d.
FN int wf_field_widened(int motion, int d, int c, int e, int above, int below) {
    int b = above - c, f = below - e, dc = d - c, de = d - e;
    int most = wf_most(wf_most(de, dc), wf_least(b, f));
    int least = wf_least(wf_least(de, dc), wf_most(b, f));
    return wf_most(motion, wf_most(least, -most));
}
// A new sample may leave d by `limit`; where nothing moves it is d.
FN int wf_field_held(int v, int d, int motion, int limit, const int top) {
    int held = wf_held(wf_least(wf_most(v, d - limit), d + limit), top);
    return motion == 0 ? d : held;
}
