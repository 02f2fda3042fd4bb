float apply(float v, At at, Params p) {
    // Distance from the centre in halves of the diagonal, as the angle there; all but x is the same along a row.
    float unit = 2.0f * p.angle / sqrt(at.aspect * at.aspect + 1.0f);
    float dx = (at.x - p.x0) * (at.aspect * p.stretch_x * unit);
    float dy = (at.y - p.y0) * (p.stretch_y * unit);
    float zz = dx * dx + dy * dy;
    float most = p.angle * p.angle;
    float z = fmin(zz, most);
    // cos^2 of an angle up to pi/2 as a polynomial of the angle's square: no root, no reduction; error 2e-6.
    float c = 1.0f + z * (-0.999999333f + z * (0.333319806f + z * (-0.0444003276f + z * (0.00312388773f - z * 0.000116920005f))));
    // Beyond the corner a lens shows nothing, but an angle of 0 is no lens.
    float light = zz > most && p.angle > 0.0f ? 0.0f : c * c;
    // A bound, so that the way back from no light stays finite; it still takes every code but black to white.
    float f = p.mode == 1 ? 1.0f / fmax(light, 1e-4f) : light;
    float zero = wf_zero(at);
    return at.c == 3 ? v : zero + (v - zero) * f;
}
