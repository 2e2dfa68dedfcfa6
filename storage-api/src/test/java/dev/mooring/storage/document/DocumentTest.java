// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DocumentTest {
    @Test
    void isACopy() {
        List<Object> list = new ArrayList<>(List.of(new HashMap<>(Map.of("k", 1))));
        Map<String, Object> map = new HashMap<>(Map.of("list", list));
        Document document = Document.of(map);
        list.clear();
        map.clear();
        assertThat(document).hasToString("{\"list\":[{\"k\":1}]}");
    }

    @Test
    void takesWhatIsPartOfADocumentWithoutACopy() {
        Document document = Document.of(Map.of("list", List.of(Map.of("a", 1)), "map", Map.of("b", 2)));
        Document other = Document.empty()
                .with(document.asMap(), "below")
                .with(document.at("list").orElseThrow(), "l");

        assertThat(Document.of(document.asMap()).asMap()).isSameAs(document.asMap());
        assertThat(other.at("below").orElseThrow()).isSameAs(document.asMap());
        assertThat(other.at("l").orElseThrow()).isSameAs(document.at("list").orElseThrow());
    }

    @Test
    void isTheSameIfNothingChanges() {
        Document document = Document.of(Map.of("a", Map.of("b", "text", "c", 7L)));

        assertThat(document.with("text", "a", "b")).isSameAs(document);
        assertThat(document.without("a", "d")).isSameAs(document);
        assertThat(document.withoutNulls()).isSameAs(document);
        assertThat(document.with(8L, "a", "c")).isEqualTo(Document.of(Map.of("a", Map.of("b", "text", "c", 8))));
    }

    @Test
    void growsNoDeeperByPartsOfDocuments() {
        Document document = Document.of(Map.of("a", 1));
        for (int i = 0; i < 199; i++) {
            document = Document.empty().with(document.asMap(), "a");
        }
        Document deep = Document.empty().with(document.asMap(), "a");

        assertThatThrownBy(() ->
                        Document.empty().with(deep.with(deep.asMap(), "b").asMap(), "a"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at most 200 deep");
    }

    @Test
    void isUnmodifiableAtEveryDepth() {
        Document document = Document.of(Map.of("o", Map.of("l", List.of(Map.of("k", 1)))));
        Map<?, ?> inner = (Map<?, ?>) document.at("o").orElseThrow();
        List<?> list = (List<?>) document.at("o", "l").orElseThrow();
        assertThatThrownBy(() -> document.asMap().clear()).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(inner::clear).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(list::clear).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> ((Map<?, ?>) list.get(0)).clear()).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void keepsOrderAndComparesWithoutIt() {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("z", 1);
        members.put("a", 2);
        assertThat(Document.of(members))
                .hasToString("{\"z\":1,\"a\":2}")
                .isEqualTo(Document.of(Map.of("a", 2, "z", 1)));
    }

    @Test
    void normalisesNumbers() {
        assertThat(Document.of(Map.of("n", 1)).asMap()).containsEntry("n", 1L);
        assertThat(Document.of(Map.of("n", new BigDecimal("1.0"))).asMap()).containsEntry("n", 1L);
        assertThat(Document.of(Map.of("n", 0.5)).asMap()).containsEntry("n", new BigDecimal("0.5"));
        assertThat(Document.of(Map.of("n", new BigDecimal("1e1000000000"))).asMap())
                .hasSize(1);
    }

    @Test
    void refusesWhatIsNoJson() {
        Map<String, Object> self = new HashMap<>();
        self.put("self", self);
        Map<String, Object> withNull = new HashMap<>();
        withNull.put("n", null);
        assertThatIllegalArgumentException().isThrownBy(() -> Document.of(Map.of("x", new Object())));
        assertThatIllegalArgumentException().isThrownBy(() -> Document.of(withNull));
        assertThatIllegalArgumentException().isThrownBy(() -> Document.of(Map.of("x", Double.NaN)));
        assertThatIllegalArgumentException().isThrownBy(() -> Document.of(self));
    }

    @Test
    void setsAndRemovesWithoutTouchingTheRest() {
        Document document = Document.empty().with("x", "a", "b").with(1, "c");
        assertThat(document).hasToString("{\"a\":{\"b\":\"x\"},\"c\":1}");
        assertThat(document.without("a", "b")).hasToString("{\"a\":{},\"c\":1}");
        assertThat(document.without("a", "none")).isEqualTo(document);
        assertThat(document.text("a", "b")).contains("x");
        assertThat(document.text("c")).isEmpty();
        assertThat(document.with(JsonNull.NULL, "c").withoutNulls()).hasToString("{\"a\":{\"b\":\"x\"}}");
    }
}
