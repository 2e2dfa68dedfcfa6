// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.validation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.Random;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class SyntaxTest {
    private static final String LETTERS = "aZ0-_./é9z";
    private static final int WORDS = 200_000;

    @Test
    void readsNamesAsTheRegularExpressionsThatItsMessagesQuote() {
        String label = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
        String qualified = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
        agrees(Syntax::label, label);
        agrees(Syntax::subdomain, label + "(\\." + label + ")*");
        agrees(Syntax::labelValue, "(" + qualified + ")?");
        agrees(Syntax::configKey, "(?!\\.\\.)(?!\\.$)[-._a-zA-Z0-9]+");
        agrees(Syntax::qualifiedName, "(" + label + "(\\." + label + ")*/)?" + qualified);
    }

    private static void agrees(Function<String, Optional<String>> syntax, String expression) {
        Random random = new Random(26);
        Pattern pattern = Pattern.compile(expression);
        for (int i = 0; i < WORDS; i++) {
            StringBuilder word = new StringBuilder();
            for (int left = random.nextInt(7); left > 0; left--) {
                word.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
            }
            assertThat(syntax.apply(word.toString()).isEmpty())
                    .as("\"%s\" by %s", word, expression)
                    .isEqualTo(pattern.matcher(word).matches());
        }
    }

    @Test
    void countsBytesNotLetters() {
        assertThat(Syntax.label("a".repeat(63))).isEmpty();
        assertThat(Syntax.label("a".repeat(64))).hasValue("must be no more than 63 bytes");
        assertThat(Syntax.label("é".repeat(32))).hasValue("must be no more than 63 bytes");
        assertThat(Syntax.label("é".repeat(31)).orElseThrow()).startsWith("a lowercase RFC 1123 label");
    }
}
