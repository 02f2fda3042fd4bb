float apply(float v, At at, Params p) {
    float dx = (at.x - p.x0) * at.aspect * p.stretch_x;
    float dy = (at.y - p.y0) * p.stretch_y;
    // Distance from the centre in halves of the diagonal.
    float d = 2.0f * wf_hypot(dx, dy) / wf_hypot(at.aspect, 1.0f);
    float c = wf_cos(p.angle * d);
    // Beyond the corner a lens shows nothing, but an angle of 0 is no lens.
    float light = d > 1.0f && p.angle > 0.0f ? 0.0f : c * c * c * c;
    // A bound, so that the way back from no light stays finite; it still takes every code but black to white.
    float f = p.mode == 1 ? 1.0f / fmax(light, 1e-4f) : light;
    float zero = wf_zero(at);
    return at.c == 3 ? v : zero + (v - zero) * f;
}
