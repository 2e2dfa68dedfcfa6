// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.fieldmanagement;

import dev.mooring.clusterstore.schema.FieldType.Sequence;
import dev.mooring.storage.document.JsonNull;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The elements of a list that one text tells apart: a name, a path, or the element itself. In the order of their {@link PathElement}s: those
 * that stand once more come last, by their index.
 */
final class KeyedElements {
    /** An element by the text that tells it apart. */
    private record Element(String text, int index) {}

    private static final Object NONE = JsonNull.NULL;

    private final boolean isSet;
    private final Sequence type;
    private final List<?> values;
    private final Element[] elements;

    /** How many stand before those that stand once more. */
    private final int once;

    private KeyedElements(boolean isSet, Sequence type, List<?> values, Element[] elements, int once) {
        this.isSet = isSet;
        this.type = type;
        this.values = values;
        this.elements = elements;
        this.once = once;
    }

    /** Empty if it is another value, or takes more than a text to tell an element apart. */
    static Optional<KeyedElements> of(FieldNode node) {
        if (node.isLeaf() || !(node.type() instanceof Sequence type) || !(node.value() instanceof List<?> values)) {
            return Optional.empty();
        }
        boolean isSet = type.isSet();
        Element[] elements = new Element[values.size()];
        for (int i = 0; i < elements.length; i++) {
            Object text = isSet ? values.get(i) : key(type, values.get(i));
            if (!(text instanceof String known)) {
                return Optional.empty();
            }
            elements[i] = new Element(known, i);
        }
        Arrays.sort(elements, Comparator.comparing(Element::text)); // stable
        return Optional.of(new KeyedElements(isSet, type, values, elements, repeatedLast(elements)));
    }

    /** The value of the one key, or something that is no text. */
    private static Object key(Sequence type, Object element) {
        boolean oneKey = type.listKeys().size() == 1 && element instanceof Map<?, ?>;
        return oneKey ? FieldNode.asMap(element).getOrDefault(type.listKeys().get(0), NONE) : NONE;
    }

    /** Moves what stands once more behind all others; answers how many others there are. */
    private static int repeatedLast(Element[] sorted) {
        List<Element> repeated = new ArrayList<>();
        int kept = 0;
        for (Element each : sorted) {
            if (kept > 0 && sorted[kept - 1].text().equals(each.text())) {
                repeated.add(each);
            } else {
                sorted[kept] = each;
                kept++;
            }
        }
        repeated.sort(Comparator.comparingInt(Element::index));
        for (int i = 0; i < repeated.size(); i++) {
            sorted[kept + i] = repeated.get(i);
        }
        return kept;
    }

    int size() {
        return elements.length;
    }

    FieldNode node(int at) {
        return FieldNode.element(type.element(), values.get(elements[at].index()));
    }

    /** As {@code fieldsV1} writes its path. */
    String encoded(int at) {
        Element element = elements[at];
        if (at >= once) {
            return PathElement.index(element.index()).encoded();
        }
        return isSet
                ? PathElement.encodedValue(element.text())
                : PathElement.encodedKey(type.listKeys().get(0), element.text());
    }
}
