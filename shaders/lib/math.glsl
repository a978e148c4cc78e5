// Functions that are right where the built-in ones are not, on every driver: NaNs, infinities, zeros of both signs, large
// arguments, values near zero. Bits are tested because isnan may be optimised away, and min and max drop NaNs.

const float ST_LN2 = 0.6931471805599453;
const float ST_PI = 3.141592653589793;

uint st_magnitude(float x) { return floatBitsToUint(x) & 0x7fffffffu; }
bool st_negative(float x) { return (floatBitsToUint(x) & 0x80000000u) != 0u; }
bool st_isNaN(float x) { return st_magnitude(x) > 0x7f800000u; }
bool st_isInf(float x) { return st_magnitude(x) == 0x7f800000u; }
bool st_isFinite(float x) { return st_magnitude(x) < 0x7f800000u; }
float st_nan() { return uintBitsToFloat(0x7fc00000u); }
float st_inf() { return uintBitsToFloat(0x7f800000u); }
float st_abs(float x) { return uintBitsToFloat(st_magnitude(x)); }
float st_copySign(float x, float sign) {
    return uintBitsToFloat(st_magnitude(x) | (floatBitsToUint(sign) & 0x80000000u));
}

bool st_equal(float a, float b) { return a == b && !st_isNaN(a) && !st_isNaN(b); }
bool st_less(float a, float b) { return a < b && !st_isNaN(a) && !st_isNaN(b); }
float st_max(float a, float b) { return st_isNaN(a) ? a : (st_isNaN(b) ? b : max(a, b)); }
float st_min(float a, float b) { return st_isNaN(a) ? a : (st_isNaN(b) ? b : min(a, b)); }
// As integers the floats of either sign are in order.
float st_relu(float x) { return st_isNaN(x) ? x : intBitsToFloat(max(floatBitsToInt(x), 0)); }
float st_clip(float x, float low, float high) { return st_isNaN(x) ? x : min(max(x, low), high); }
// By way of int: as a choice of floats some drivers recognise their own sign(), which keeps -0.
float st_sign(float x) { return st_isNaN(x) ? 0.0 : float(int(x > 0.0) - int(x < 0.0)); }

// To the nearest, halves to even; -0.5 gives -0.
float st_round(float x) {
    if (st_magnitude(x) >= 0x4b000000u) return x;  // 2^23: whole already, or NaN
    float low = floor(x);
    float part = x - low;
    float odd = low - 2.0 * floor(low * 0.5);
    float whole = (part > 0.5 || (part == 0.5 && odd == 1.0)) ? low + 1.0 : low;
    return st_copySign(whole, x);
}
float st_ceil(float x) { return st_copySign(ceil(x), x); }

// Modulo 2^32, as ECMAScript's ToInt32 (ECMA-262 §7.1.6); worked out on the bits, because float(int(x)) may be optimised away.
int st_toInt(float x) {
    uint bits = floatBitsToUint(x);
    int exponent = int((bits >> 23) & 255u) - 127;
    if (exponent < 0 || exponent == 128) return 0;
    uint mantissa = (bits & 0x7fffffu) | 0x800000u;
    int shift = exponent - 23;
    uint value = shift >= 32 ? 0u : (shift >= 0 ? mantissa << uint(shift) : mantissa >> uint(-shift));
    return (bits & 0x80000000u) != 0u ? int(~value + 1u) : int(value);
}

// Quotients round to minus infinity; a division by zero gives 0.
int st_floorDiv(int a, int b) {
    if (b == 0) return 0;
    if (b == -1) return int(~uint(a) + 1u);  // wraps for the least int
    int quotient = a / b;
    return (a - quotient * b != 0 && ((a < 0) != (b < 0))) ? quotient - 1 : quotient;
}
int st_mod(int a, int b) { return b == 0 ? 0 : a - st_floorDiv(a, b) * b; }
// The remainder of a / b for finite a >= 0, b > 0, exact: long division on the bits, eight at a time (35 turns at most).
float st_remainder(float a, float b) {
    uint x = floatBitsToUint(a), y = floatBitsToUint(b);
    if (x < y) return a;
    int ex = int(x >> 23), ey = int(y >> 23);
    x &= 0x7fffffu;
    y &= 0x7fffffu;
    if (ex > 0) x |= 0x800000u; else ex = 1;
    if (ey > 0) y |= 0x800000u; else ey = 1;
    uint rest = x % y;
    for (int d = ex - ey; d > 0 && rest != 0u; d -= 8) rest = (rest << uint(min(d, 8))) % y;
    if (rest == 0u) return 0.0;
    int shift = 23 - findMSB(rest);
    if (ey - shift > 0) return uintBitsToFloat((uint(ey - shift) << 23) | ((rest << uint(shift)) & 0x7fffffu));
    return uintBitsToFloat(rest << uint(ey - 1));
}
float st_mod(float a, float b) {
    if (!st_isFinite(a) || st_isNaN(b) || b == 0.0) return st_nan();
    if (st_isInf(b)) return a == 0.0 || (a < 0.0) == (b < 0.0) ? a : b;
    float rest = st_remainder(st_abs(a), st_abs(b));
    if (rest == 0.0) return st_copySign(0.0, b);
    return (a < 0.0) == (b < 0.0) ? st_copySign(rest, b) : b - st_copySign(rest, b);
}
int st_clip(int x, float low, float high) {
    // Limits beyond int32 do not limit.
    int l = low <= -2147483648.0 ? (-2147483647 - 1) : (low >= 2147483648.0 ? 2147483647 : int(ceil(low)));
    int h = high >= 2147483648.0 ? 2147483647 : (high <= -2147483648.0 ? (-2147483647 - 1) : int(floor(high)));
    return min(max(x, l), h);
}

// The upper 12 bits of the mantissa: a product of two such numbers is exact.
float st_upper(float x) { return uintBitsToFloat(floatBitsToUint(x) & 0xfffff000u); }

// exp(high + low) where the sum is in [-105, 89]: 2^n exp(r), |r| <= ln 2 / 2, by Taylor's series, because the built-in one
// is off by a few units in the last place per unit of x on some drivers. ln 2 is subtracted in two parts (Cody and Waite, 1980).
float st_expSum(float high, float low) {
    float n = floor(high * 1.4426950408889634 + 0.5);
    PRECISE float r = (high - n * 0.693359375) + (n * 2.12194440e-4 + low);
    // In pairs (Estrin, 1960): a CPU has several steps under way at once.
    float z = r * r;
    float tail = (0.5 + r * 0.16666667) + z * ((0.041666668 + r * 0.0083333338) + z * (0.0013888889 + r * 0.00019841270));
    float e = 1.0 + (r + z * tail);
    // In two steps, so that 2^n stays a normal number.
    int h = int(n) >> 1;
    return e * uintBitsToFloat(uint(h + 127) << 23) * uintBitsToFloat(uint(int(n) - h + 127) << 23);
}
// Without branches, which CPUs' vectors do not take. At the ends the two factors 2^(n/2) overflow and underflow by themselves.
float st_exp(float x) {
    float e = st_expSum(x > 89.0 ? 89.0 : (x < -105.0 ? -105.0 : x), 0.0);
    return st_isNaN(x) ? x : e;
}
float st_expm1(float x) {
    if (st_abs(x) < 0.5) {
        return x * (1.0 + x * (0.5 + x * (0.16666667 + x * (0.041666668 + x * (0.0083333338 + x * (0.0013888889 +
               x * (0.00019841270 + x * 2.4801587e-5)))))));
    }
    return st_exp(x) - 1.0;
}
float st_log(float x) {
    if (st_isNaN(x) || x < 0.0) return st_nan();
    if (x == 0.0) return -st_inf();
    if (st_isInf(x)) return x;
    // log(2^n m) = n ln 2 + 2 atanh((m - 1) / (m + 1)), m in [sqrt(1/2), sqrt(2)).
    float scaled = x < 1.17549435e-38 ? x * 8388608.0 : x;
    int n = int(floatBitsToUint(scaled) >> 23) - 127 - (x < 1.17549435e-38 ? 23 : 0);
    float m = uintBitsToFloat((floatBitsToUint(scaled) & 0x7fffffu) | 0x3f800000u);
    if (m > 1.41421356) {
        m *= 0.5;
        n += 1;
    }
    float s = (m - 1.0) / (m + 1.0);
    float z = s * s;
    float tail = s * z * (0.66666667 + z * (0.4 + z * (0.28571429 + z * (0.22222222 + z * 0.18181818))));
    float k = float(n);
    return (k * 0.693359375 + (2.0 * s + tail)) - k * 2.12194440e-4;
}
float st_log1p(float x) {
    if (st_abs(x) >= 0.4) return st_log(1.0 + x);
    float s = x / (2.0 + x);
    float z = s * s;
    return 2.0 * s + s * z * (0.66666667 + z * (0.4 + z * (0.28571429 + z * (0.22222222 + z * (0.18181818 + z * 0.15384615)))));
}
float st_sqrt(float x) { return x < 0.0 || st_isNaN(x) ? st_nan() : (st_isInf(x) ? x : sqrt(x)); }
float st_softplus(float x) {
    if (st_isNaN(x)) return x;
    return (x > 0.0 ? x : 0.0) + st_log1p(st_exp(-st_abs(x)));
}

// Angles. The quadrant q and the rest r in [-pi/4, pi/4] of x = q pi/2 + r.
float st_reduceAngle(float x, out int quadrant) {
    float a = st_abs(x);
    if (a < 1024.0) {
        // pi/2 in three parts (Cody and Waite, "Software manual for the elementary functions", 1980).
        float q = floor(a * 0.63661977236758 + 0.5);
        float r = ((a - q * 1.5703125) - q * 4.8351287841797e-4) - q * 3.1385570764541e-7;
        r -= q * 6.0771005065062e-11;
        quadrant = int(q);
        if (x < 0.0) {
            quadrant = -quadrant;
            r = -r;
        }
        return r;
    }
    // 2/pi times the mantissa with 96 bits that matter (Payne and Hanek, "Radian reduction for trigonometric functions", 1983).
    uint words[7] = uint[7](0x00000000u, 0x28be60dbu, 0x9391054au, 0x7f09d5f4u, 0x7d4d3770u, 0x36d8a566u, 0x4f10e410u);
    uint bits = st_magnitude(x);
    uint mantissa = (bits << 8) | 0x80000000u;
    uint exponent = (bits >> 23) - 126u;
    int word = int(exponent >> 5);
    uint shift = exponent & 31u;
    uint high = words[word], middle = words[word + 1], low = words[word + 2];
    if (shift != 0u) {
        uint next = words[min(word + 3, 6)];
        high = (high << shift) | (middle >> (32u - shift));
        middle = (middle << shift) | (low >> (32u - shift));
        low = (low << shift) | (next >> (32u - shift));
    }
    uint carry, lowest, sumHigh, sumLow, overflow;
    umulExtended(mantissa, low, carry, lowest);
    umulExtended(mantissa, middle, sumHigh, sumLow);
    uint product = uaddCarry(sumLow, carry, overflow);
    uint top = mantissa * high + sumHigh + overflow;
    // A number of quarter turns with two bits before the point; the fraction is rounded to [-1/2, 1/2).
    quadrant = int(top >> 30);
    uint fraction = (top << 2) | (product >> 30);
    uint rest = product << 2;
    float turns;
    if ((fraction & 0x80000000u) != 0u) {
        quadrant += 1;
        fraction = ~fraction;
        rest = ~rest;
        turns = -(float(fraction) * 2.3283064365386963e-10 + float(rest) * 5.421010862427522e-20);
    } else {
        turns = float(fraction) * 2.3283064365386963e-10 + float(rest) * 5.421010862427522e-20;
    }
    float r = turns * 1.5707963267948966;
    if (x < 0.0) {
        quadrant = -quadrant;
        r = -r;
    }
    return r;
}
float st_sinNear0(float r) {
    float z = r * r;
    return r + r * z * (-0.16666667 + z * (0.0083333333 + z * (-0.00019841270 + z * 2.7557319e-6)));
}
float st_cosNear0(float r) {
    float z = r * r;
    return 1.0 - 0.5 * z + z * z * (0.041666667 + z * (-0.0013888889 + z * (2.4801587e-5 - z * 2.7557319e-7)));
}
float st_sinQuadrant(float r, int quadrant) {
    float value = (quadrant & 1) != 0 ? st_cosNear0(r) : st_sinNear0(r);
    return (quadrant & 2) != 0 ? -value : value;
}
float st_sin(float x) {
    if (!st_isFinite(x)) return st_nan();
    int q;
    float r = st_reduceAngle(x, q);
    return x == 0.0 ? x : st_sinQuadrant(r, q);
}
float st_cos(float x) {
    if (!st_isFinite(x)) return st_nan();
    int q;
    float r = st_reduceAngle(x, q);
    return st_sinQuadrant(r, q + 1);
}
float st_tan(float x) {
    if (!st_isFinite(x)) return st_nan();
    int q;
    float r = st_reduceAngle(x, q);
    return x == 0.0 ? x : st_sinQuadrant(r, q) / st_sinQuadrant(r, q + 1);
}

// atan on [0, 1]: the argument is reduced to [-tan(pi/8), tan(pi/8)]; the polynomial is a minimax fit, error 7e-10.
float st_atan01(float t) {
    float offset = 0.0;
    if (t > 0.41421356) {  // tan(pi/8)
        offset = 0.25 * ST_PI;
        t = (t - 1.0) / (t + 1.0);
    }
    float z = t * t;
    return offset + (t + t * z * (-0.33333307 + z * (0.19998178 + z * (-0.14239442 + z * (0.10569156 - z * 0.060245698)))));
}
float st_atan2(float y, float x) {
    if (st_isNaN(x) || st_isNaN(y)) return st_nan();
    float ay = st_abs(y), ax = st_abs(x);
    float angle;
    if (ax == ay) {
        angle = ax == 0.0 ? 0.0 : 0.25 * ST_PI;
    } else {
        angle = ay < ax ? st_atan01(ay / ax) : 0.5 * ST_PI - st_atan01(ax / ay);
    }
    if (st_negative(x)) angle = ST_PI - angle;
    return st_copySign(angle, y);
}
float st_asin(float x) {
    float a = st_abs(x);
    if (!(a <= 1.0)) return st_nan();
    return st_atan2(x, sqrt((1.0 - a) * (1.0 + a)));
}
float st_acos(float x) {
    float a = st_abs(x);
    if (!(a <= 1.0)) return st_nan();
    return st_atan2(sqrt((1.0 - a) * (1.0 + a)), x);
}

float st_sinh(float x) {
    float a = st_abs(x);
    if (st_isNaN(x)) return x;
    if (a < 1.0) {
        float z = x * x;
        return x + x * z * (0.16666667 + z * (0.0083333333 + z * (0.00019841270 + z * 2.7557319e-6)));
    }
    // exp(a) may overflow where half of it does not.
    float e = st_exp(0.5 * a);
    return st_copySign(a > 15.0 ? 0.5 * e * e : 0.5 * (e * e - 1.0 / (e * e)), x);
}
float st_cosh(float x) {
    if (st_isNaN(x)) return x;
    float e = st_exp(0.5 * st_abs(x));
    return 0.5 * e * e + 0.5 / e / e;
}
float st_tanh(float x) {
    float a = st_abs(x);
    if (st_isNaN(x)) return x;
    if (a > 10.0) return st_copySign(1.0, x);
    float t = st_expm1(2.0 * a);
    return st_copySign(t / (t + 2.0), x);
}
float st_asinh(float x) {
    float a = st_abs(x);
    if (!st_isFinite(x)) return x;
    if (a > 1.0e9) return st_copySign(st_log(a) + ST_LN2, x);
    return st_copySign(st_log1p(a + a * a / (1.0 + sqrt(1.0 + a * a))), x);
}
float st_acosh(float x) {
    if (!(x >= 1.0)) return st_nan();
    if (x > 1.0e9) return st_log(x) + ST_LN2;
    float t = x - 1.0;
    return st_log1p(t + sqrt(2.0 * t + t * t));
}
float st_atanh(float x) {
    float a = st_abs(x);
    if (!(a <= 1.0)) return st_nan();
    return st_copySign(a == 1.0 ? st_inf() : 0.5 * st_log1p(2.0 * a / (1.0 - a)), x);
}

// erf by two minimax fits: of erf(x) / x in x^2 (error 5e-10), and of -log(1 - erf(x)) (error 2e-8).
float st_erf(float x) {
    float a = st_abs(x);
    if (st_isNaN(x)) return x;
    if (a < 0.92) {
        float z = x * x;
        return x * (1.1283791666 + z * (-0.37612633688 + z * (0.1128369415 + z * (-0.026859297261 + z * (0.0052007296667 +
               z * (-0.00081387923858 + z * 8.3518970808e-5))))));
    }
    if (a >= 4.0) return st_copySign(1.0, x);
    float g = -0.00032044153128 + a * (1.1302376164 + a * (0.63181451666 + a * (0.11009448083 + a * (-0.026431017603 +
              a * (0.0047635752491 + a * (-0.00059774347196 + a * (4.617791279e-5 - a * 1.6435696536e-6)))))));
    return st_copySign(1.0 - st_exp(-g), x);
}

int st_pow(int a, int b) {
    if (b < 0) return a == 1 ? 1 : (a == -1 ? ((b & 1) != 0 ? -1 : 1) : 0);
    int result = 1;
    for (int i = 0; i < 31 && b != 0; ++i) {
        if ((b & 1) != 0) result *= a;
        b >>= 1;
        a *= a;
    }
    return result;
}
// log(a) for finite a > 0 as high + low, with the precision of some 35 bits; `high` has 12. See st_log.
float st_logSum(float a, out float low) {
    bool tiny = a < 1.17549435e-38;
    uint bits = floatBitsToUint(tiny ? a * 8388608.0 : a);
    int n = int(bits >> 23) - (tiny ? 150 : 127);
    float m = uintBitsToFloat((bits & 0x7fffffu) | 0x3f800000u);
    if (m > 1.41421356) {
        m *= 0.5;
        n += 1;
    }
    // s = f / g in two parts; g = 2 + f is split so that the products are exact.
    float f = m - 1.0, g = m + 1.0;
    float gUpper = st_upper(g), sUpper = st_upper(f / g);
    PRECISE float gLower = f - (gUpper - 2.0);
    PRECISE float sLower = ((f - sUpper * gUpper) - sUpper * gLower) / g;
    float s = sUpper + sLower;
    float z = s * s;
    float tail = s * z * (0.66666667 + z * (0.4 + z * (0.28571429 + z * (0.22222222 + z * 0.18181818))));
    float k = float(n);
    PRECISE float rest = 2.0 * sLower + tail - k * 2.12194440e-4;
    PRECISE float high = st_upper(k * 0.693359375 + (2.0 * sUpper + rest));
    PRECISE float lower = ((k * 0.693359375 - high) + 2.0 * sUpper) + rest;
    low = lower;
    return high;
}
// a^b for finite a > 0 and b: exp(b log a).
float st_powPositive(float a, float b) {
    if (b == 0.5) return sqrt(a);
    if (b == -1.0) return 1.0 / a;
    if (b > 0.0 && b <= 24.0 && b == floor(b)) {
        // A product of whole numbers below 2^24 is exact, and so is a small one.
        int n = int(b);
        float result = 1.0, power = a;
        for (int i = 0; i < 5 && n != 0; ++i) {
            if ((n & 1) != 0) result *= power;
            n >>= 1;
            power *= power;
        }
        if (b <= 3.0 || (a == floor(a) && result <= 16777216.0)) return result;
    }
    float low;
    float high = st_logSum(a, low);
    float estimate = b * (high + low);
    if (estimate > 88.8) return st_inf();
    if (estimate < -104.0) return 0.0;
    float upper = st_upper(b);
    PRECISE float first = upper * high;
    PRECISE float second = (b - upper) * high + b * low;
    return st_expSum(first, second);
}
float st_pow(float a, float b) {
    if (b == 0.0 && !st_isNaN(b)) return 1.0;
    if (st_isNaN(a) || st_isNaN(b)) return st_nan();
    float magnitude = st_abs(a);
    bool whole = b == floor(b);
    // Beyond 2^24 every float is even.
    bool odd = whole && st_abs(b) < 16777216.0 && (int(b) & 1) != 0;
    if (st_isInf(b)) return magnitude == 1.0 ? st_nan() : ((magnitude > 1.0) == (b > 0.0) ? st_inf() : 0.0);
    float value;
    if (magnitude == 0.0 || st_isInf(a)) {
        value = (magnitude == 0.0) == (b > 0.0) ? 0.0 : st_inf();
    } else {
        if (a < 0.0 && !whole) return st_nan();
        value = st_powPositive(magnitude, b);
    }
    return odd ? st_copySign(value, a) : value;
}
