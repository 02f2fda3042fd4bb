float apply(float v, At at, Params p) {
    int chroma = wf_is_chroma(at);
    float gain = chroma ? p.saturation : p.contrast;
    float lift = chroma ? 0.0f : p.brightness;
    float s = (v - at.mid) * gain + at.mid + lift;
    float power = at.c == 1 ? p.power_cb : at.c == 2 ? p.power_cr : p.power_y;
    float curved = fmax(s, 0.0f) * (1.0f - p.gamma_weight) + wf_pow(s, power) * p.gamma_weight;
    float out = p.has_gamma != 0.0f ? curved : s;
    return at.c == 3 ? v : out;
}
