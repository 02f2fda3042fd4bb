// OpenCL's built-in functions as clang knows how to vectorise them, in the way that PoCL's own library is once it is
// linked in. Put before a generated program that clang alone compiles.
#define fmin __builtin_fminf
#define fmax __builtin_fmaxf
#define rint __builtin_rintf
#define fabs __builtin_fabsf
#define sqrt __builtin_sqrtf
#define floor __builtin_floorf
#define mad(a, b, c) ((a) * (b) + (c))
#define fma(a, b, c) __builtin_fmaf(a, b, c)
#define min(a, b) wf_stand_in_min(a, b)
#define max(a, b) wf_stand_in_max(a, b)
#define clamp(v, a, b) wf_stand_in_min(wf_stand_in_max(v, a), b)
#define OVERLOADED static __attribute__((overloadable, always_inline)) inline
OVERLOADED int wf_stand_in_min(int a, int b) { return a < b ? a : b; }
OVERLOADED int wf_stand_in_max(int a, int b) { return a > b ? a : b; }
OVERLOADED uint wf_stand_in_min(uint a, uint b) { return a < b ? a : b; }
OVERLOADED uint wf_stand_in_max(uint a, uint b) { return a > b ? a : b; }
OVERLOADED float wf_stand_in_min(float a, float b) { return __builtin_fminf(a, b); }
OVERLOADED float wf_stand_in_max(float a, float b) { return __builtin_fmaxf(a, b); }
