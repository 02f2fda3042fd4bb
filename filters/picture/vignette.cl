float apply(float v, At at, Params p) {
    float dx = (at.x - p.x0) * at.aspect * p.stretch_x;
    float dy = (at.y - p.y0) * p.stretch_y;
    // Square of the distance from the centre in halves of the diagonal, and of the angle there.
    float dd = (dx * dx + dy * dy) * (4.0f / (at.aspect * at.aspect + 1.0f));
    float z = p.angle * p.angle * fmin(dd, 1.0f);
    // cos of up to pi/2 as a series of the square: no root, no reduction; error 5e-7.
    float c = 1.0f - z * (1.0f / 90.0f);
    c = 1.0f - z * (1.0f / 56.0f) * c;
    c = 1.0f - z * (1.0f / 30.0f) * c;
    c = 1.0f - z * (1.0f / 12.0f) * c;
    c = 1.0f - z * 0.5f * c;
    // Beyond the corner a lens shows nothing, but an angle of 0 is no lens.
    float light = dd > 1.0f && p.angle > 0.0f ? 0.0f : c * c * c * c;
    // A bound, so that the way back from no light stays finite; it still takes every code but black to white.
    float f = p.mode == 1 ? 1.0f / fmax(light, 1e-4f) : light;
    float zero = wf_zero(at);
    return at.c == 3 ? v : zero + (v - zero) * f;
}
