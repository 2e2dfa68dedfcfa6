// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import dev.mooring.storage.compact.SharedValues;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apiguardian.api.API;

/**
 * An exact amount, such as a size in bytes, in Kubernetes' notation: {@code 5Gi}, {@code 1500M}, {@code 1e3}, {@code 100m}.
 *
 * <p>Amounts finer than a billionth are rounded up, as Kubernetes does. Equality and order are by value: {@code 1Gi} equals {@code
 * 1024Mi}. {@link #toString} gives Kubernetes' canonical form: the family of suffixes in which it was written, the largest suffix for
 * which the number has no fraction. Immutable.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class Quantity implements Comparable<Quantity> {
    /** Nothing. */
    public static final Quantity ZERO = new Quantity(BigDecimal.ZERO, Family.DECIMAL);

    private static final Pattern SYNTAX = Pattern.compile(
            "([+-]?)(\\d{1,400}(?:\\.\\d{0,400})?|\\.\\d{1,400})([KMGTPE]i|[numkMGTPE]|[eE][+-]?\\d{1,9}|)");
    private static final String[] BINARY = {"", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"};
    private static final String[] DECIMAL = {"n", "u", "m", "", "k", "M", "G", "T", "P", "E"};
    private static final int FINEST = 9;
    private static final int LARGEST_EXPONENT = 400;
    private static final BigDecimal KIBI = BigDecimal.valueOf(1024);

    private final BigDecimal value;
    private final Family family;
    private final long asLong;

    private Quantity(BigDecimal value, Family family) {
        this.value = value.signum() == 0 ? BigDecimal.ZERO : value.stripTrailingZeros();
        this.family = family;
        this.asLong = fits(this.value) ? this.value.longValueExact() : Long.MIN_VALUE;
    }

    private static boolean fits(BigDecimal value) {
        return value.scale() <= 0
                && value.precision() - value.scale() <= 19
                && value.toBigInteger().bitLength() < Long.SIZE;
    }

    /**
     * Reads an amount.
     *
     * @throws IllegalArgumentException if it is not in Kubernetes' notation, or absurdly large
     */
    public static Quantity parse(String text) {
        Matcher matcher = SYNTAX.matcher(text);
        if (!matcher.matches()) {
            String shown = text.length() > 64 ? text.substring(0, 64) + "…" : text;
            throw new IllegalArgumentException("quantities must match the regular expression"
                    + " '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$': '" + shown + "'");
        }
        BigDecimal number = new BigDecimal(matcher.group(2).endsWith(".") ? matcher.group(2) + "0" : matcher.group(2));
        String suffix = matcher.group(3);
        Family family = familyOf(suffix);
        BigDecimal scaled = number.multiply(family == Family.EXPONENT ? power(suffix) : factor(suffix));
        BigDecimal rounded = scaled.scale() > FINEST ? scaled.setScale(FINEST, RoundingMode.UP) : scaled;
        Quantity read = new Quantity(matcher.group(1).equals("-") ? rounded.negate() : rounded, family);
        return SharedValues.one(read, Quantity::isShownAs);
    }

    private boolean isShownAs(Quantity other) {
        return family == other.family && value.compareTo(other.value) == 0;
    }

    /** Reads an amount; empty if the text is not an amount. */
    public static Optional<Quantity> tryParse(String text) {
        try {
            return Optional.of(parse(text));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** So many bytes, shown with binary suffixes. */
    public static Quantity ofBytes(long bytes) {
        return new Quantity(BigDecimal.valueOf(bytes), Family.BINARY);
    }

    private static Family familyOf(String suffix) {
        if (suffix.endsWith("i")) {
            return Family.BINARY;
        }
        return suffix.length() > 1 ? Family.EXPONENT : Family.DECIMAL;
    }

    private static BigDecimal power(String suffix) {
        int exponent = Integer.parseInt(suffix.substring(1));
        if (Math.abs(exponent) > LARGEST_EXPONENT) {
            throw new IllegalArgumentException("the exponent of a quantity lies between -400 and 400: " + exponent);
        }
        return BigDecimal.ONE.scaleByPowerOfTen(exponent);
    }

    private static BigDecimal factor(String suffix) {
        for (int i = 1; i < BINARY.length; i++) {
            if (BINARY[i].equals(suffix)) {
                return KIBI.pow(i);
            }
        }
        for (int i = 0; i < DECIMAL.length; i++) {
            if (DECIMAL[i].equals(suffix)) {
                return BigDecimal.ONE.scaleByPowerOfTen((i - 3) * 3);
            }
        }
        throw new IllegalArgumentException("no suffix of a quantity: " + suffix);
    }

    /** The exact value. */
    public BigDecimal value() {
        return value;
    }

    /** Whether the value is an integer of 64 bits, other than the smallest one. */
    public boolean fitsLong() {
        return asLong != Long.MIN_VALUE;
    }

    /**
     * The value as an integer.
     *
     * @throws ArithmeticException unless {@link #fitsLong}
     */
    public long longValue() {
        if (!fitsLong()) {
            throw new ArithmeticException(this + " is no 64-bit integer");
        }
        return asLong;
    }

    /** The least integer that is not smaller. */
    public BigInteger valueRoundedUp() {
        return value.setScale(0, RoundingMode.CEILING).toBigIntegerExact();
    }

    /** Whether it is less than nothing: -1, 0 or 1. */
    public int signum() {
        return value.signum();
    }

    /** The sum, in this one's notation; in the other's if this one is zero, as Kubernetes does. */
    public Quantity plus(Quantity other) {
        return new Quantity(value.add(other.value), signum() == 0 ? other.family : family);
    }

    @Override
    public int compareTo(Quantity other) {
        return fitsLong() && other.fitsLong() ? Long.compare(asLong, other.asLong) : value.compareTo(other.value);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Quantity that && compareTo(that) == 0;
    }

    @Override
    public int hashCode() {
        return value.hashCode();
    }

    /** Kubernetes' canonical form. */
    @Override
    public String toString() {
        if (value.signum() == 0) {
            return "0";
        }
        boolean binary = family == Family.BINARY && value.abs().compareTo(KIBI) >= 0 && value.scale() <= 0;
        return binary ? binaryText() : family == Family.EXPONENT ? exponentText() : decimalText();
    }

    private String binaryText() {
        BigInteger mantissa = value.toBigIntegerExact();
        int suffix = 0;
        while (suffix < BINARY.length - 1
                && mantissa.mod(BigInteger.valueOf(1024)).signum() == 0) {
            mantissa = mantissa.shiftRight(10);
            suffix++;
        }
        return mantissa + BINARY[suffix];
    }

    private String decimalText() {
        int suffix = suffixOf(value);
        return value.scaleByPowerOfTen(-(suffix - 3) * 3).toBigIntegerExact() + DECIMAL[suffix];
    }

    private String exponentText() {
        int thousands = Math.floorDiv(-value.scale(), 3);
        BigInteger mantissa = value.scaleByPowerOfTen(-thousands * 3).toBigIntegerExact();
        return thousands == 0 ? mantissa.toString() : mantissa + "e" + thousands * 3;
    }

    private static int suffixOf(BigDecimal value) {
        int thousands = Math.floorDiv(-value.scale(), 3);
        return Math.max(0, Math.min(DECIMAL.length - 1, thousands + 3));
    }

    private enum Family {
        BINARY,
        DECIMAL,
        EXPONENT
    }
}
