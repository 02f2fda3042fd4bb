Px apply(Px px, At at, Params p) {
    float cb = px.g - p.centre, cr = px.b - p.centre;
    return px_make(px.r + p.lift, p.c * cb - p.d * cr + p.centre, p.d * cb + p.c * cr + p.centre, px.a);
}
