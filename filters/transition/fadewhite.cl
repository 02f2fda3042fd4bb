float apply(float a, float b, At at, Params p) {
    float done = wf_ease(at.progress, p.ease);
    float through = at.c == 3 ? 1.0f : wf_white(at); // of premultiplied pictures: opaque
    // Curves of their own take the old picture away in the first fifth and bring the new one until four
    // fifths.
    float from = wf_mix(through, a, wf_smooth(0.8f, 1.0f, 1.0f - done));
    float to = wf_mix(b, through, wf_smooth(0.2f, 1.0f, 1.0f - done));
    return wf_mix(from, to, done);
}
