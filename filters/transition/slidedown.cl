float apply(float a, float b, At at, Params p) {
    // Of a sample in whose middle they meet, the pictures' displacements leave the old one's.
    float seam = wf_ease(at.progress, p.ease) - 0.001f / at.h;
    return at.y > seam ? a : b;
}
