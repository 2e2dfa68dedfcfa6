// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QuantityTest {
    @ParameterizedTest
    @CsvSource({
        "0, 0, 0",
        "0n, 0, 0",
        "0Ki, 0, 0",
        "-0, 0, 0",
        "0.0, 0, 0",
        "0e5, 0, 0",
        "1, 1, 1",
        "+1, 1, 1",
        "-1, -1, -1",
        "007, 7, 7",
        "1., 1, 1",
        ".5, 500m, 0.5",
        "0.5, 500m, 0.5",
        "100m, 100m, 0.1",
        "1000m, 1, 1",
        "1500m, 1500m, 1.5",
        "1.5, 1500m, 1.5",
        "10, 10, 10",
        "1000, 1k, 1000",
        "1024, 1024, 1024",
        "1500, 1500, 1500",
        "10000, 10k, 10000",
        "1000k, 1M, 1000000",
        "1.5k, 1500, 1500",
        "1M, 1M, 1000000",
        "1G, 1G, 1000000000",
        "1T, 1T, 1000000000000",
        "1P, 1P, 1000000000000000",
        "1E, 1E, 1000000000000000000",
        "1000E, 1000E, 1000000000000000000000",
        "1n, 1n, 0.000000001",
        "1000n, 1u, 0.000001",
        "1u, 1u, 0.000001",
        "1500u, 1500u, 0.0015",
        "0.1n, 1n, 0.000000001",
        "1.1n, 2n, 0.000000002",
        "-0.1n, -1n, -0.000000001",
        "1Ki, 1Ki, 1024",
        "1Mi, 1Mi, 1048576",
        "1Gi, 1Gi, 1073741824",
        "1Ti, 1Ti, 1099511627776",
        "1Pi, 1Pi, 1125899906842624",
        "1Ei, 1Ei, 1152921504606846976",
        "1024Mi, 1Gi, 1073741824",
        "1025Mi, 1025Mi, 1074790400",
        "1.5Gi, 1536Mi, 1610612736",
        "0.5Mi, 512Ki, 524288",
        "0.5Ki, 512, 512",
        "1023.5Ki, 1048064, 1048064",
        "1.1Ki, 1126400m, 1126.4",
        "0.001Ki, 1024m, 1.024",
        "0.0001Ki, 102400u, 0.1024",
        "-1Ki, -1Ki, -1024",
        "-512Mi, -512Mi, -536870912",
        "10Ei, 10Ei, 11529215046068469760",
        "2048Ei, 2048Ei, 2361183241434822606848",
        "1e3, 1e3, 1000",
        "1E3, 1e3, 1000",
        "1e+3, 1e3, 1000",
        "12e4, 120e3, 120000",
        "1e-3, 1e-3, 0.001",
        "1.5e3, 1500, 1500",
        "1e2, 100, 100",
        "100e-2, 1, 1",
        "1e21, 1e21, 1000000000000000000000",
        "1e-10, 1e-9, 0.000000001",
        "9223372036854775807, 9223372036854775807, 9223372036854775807",
        "9223372036854775808, 9223372036854775808, 9223372036854775808",
        "-9223372036854775808, -9223372036854775808, -9223372036854775808"
    })
    void readsAndPrintsTheCanonicalForm(String text, String canonical, BigDecimal value) {
        Quantity quantity = Quantity.parse(text);
        assertThat(quantity).hasToString(canonical);
        assertThat(quantity.value()).isEqualByComparingTo(value);
        assertThat(Quantity.parse(canonical))
                .isEqualTo(quantity)
                .hasSameHashCodeAs(quantity)
                .hasToString(canonical);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "-",
                "+",
                ".",
                "Ki",
                "1 Gi",
                " 1",
                "1 ",
                "1gi",
                "1K",
                "1KB",
                "1GiB",
                "1ki",
                "1.2.3",
                "--1",
                "1-",
                "0x10",
                "1e",
                "1e1.5",
                "1e+",
                "e3",
                "1i",
                "1,5",
                "NaN",
                "Infinity",
                "١",
                "1Gi\n"
            })
    void refusesOtherTexts(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> Quantity.parse(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"1e1000000000", "1e-1000000000", "1e999999999", "1e99999999999999999999", "-1E2147483647"})
    void refusesExponentsThatWouldFillTheMemory(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> Quantity.parse(text));
    }

    @Test
    void refusesVeryLongNumbersWithAShortMessage() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Quantity.parse("9".repeat(1_000_000)))
                .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(500));
    }

    @ParameterizedTest
    @CsvSource({
        "1Gi, 1G, 1",
        "1Gi, 1024Mi, 0",
        "1, 1000m, 0",
        "1n, 0, 1",
        "1n, 2n, -1",
        "0.1, 0.2, -1",
        "-1, 1n, -1",
        "8Ei, 9223372036854775807, 1",
        "9223372036854775808, 9223372036854775807, 1",
        "9223372036854775807.5, 9223372036854775807, 1",
        "-9223372036854775808, -9223372036854775807, -1",
        "1e30, 1e29, 1",
        "1e30, 1000000000000E, 0"
    })
    void comparesByValue(String left, String right, int order) {
        assertThat(Integer.signum(Quantity.parse(left).compareTo(Quantity.parse(right))))
                .isEqualTo(order);
        assertThat(Integer.signum(Quantity.parse(right).compareTo(Quantity.parse(left))))
                .isEqualTo(-order);
        assertThat(Quantity.parse(left).equals(Quantity.parse(right))).isEqualTo(order == 0);
    }

    @ParameterizedTest
    @CsvSource({"1.5, 2", "1n, 1", "1, 1", "1Gi, 1073741824", "9223372036854775807.1, 9223372036854775808"})
    void roundsUp(String text, String rounded) {
        assertThat(Quantity.parse(text).valueRoundedUp()).hasToString(rounded);
    }

    @Test
    void isALongOnlyIfItIsOne() {
        assertThat(Quantity.parse("1Gi").longValue()).isEqualTo(1L << 30);
        assertThat(Quantity.ofBytes(5L << 30)).hasToString("5Gi");
        assertThat(Quantity.parse("1.5").fitsLong()).isFalse();
        assertThat(Quantity.parse("8Ei").fitsLong()).isFalse();
        assertThatThrownBy(() -> Quantity.parse("8Ei").longValue()).isInstanceOf(ArithmeticException.class);
    }

    @ParameterizedTest
    @CsvSource({"0, 1Gi, 1Gi", "0Ki, 1k, 1k", "1Gi, 0, 1Gi", "1Ki, 1000, 2024", "1k, 1Ki, 2024", "0, 1e3, 1e3"})
    void aSumIsInTheNotationOfItsFirstPartUnlessThatIsZero(String one, String other, String sum) {
        assertThat(Quantity.parse(one).plus(Quantity.parse(other))).hasToString(sum);
    }
}
