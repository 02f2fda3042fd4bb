float apply(float v, At at, Params p) {
    float now = p.in_time != 0.0f ? at.t : at.n;
    float done = wf_clamp01((now - p.begin) * p.speed);
    float shown = p.type == 1 ? 1.0f - done : done;
    float from = p.color == 1 ? wf_white(at) : wf_zero(at);
    return at.c == 3 ? v : wf_mix(from, v, shown);
}
