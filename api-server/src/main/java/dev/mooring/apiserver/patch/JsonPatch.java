// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.patch;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.document.JsonNull;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A JSON patch (RFC 6902). As the API server does, it takes at most 10 000 operations, and copies no more than a request may hold:
 * copies of copies double what there is. As there, a patch is malformed only if it is no list of objects, and what an operation lacks or
 * asks for and is not there is found when it is applied; a value that is not given is null, as is what is copied from a key that an object
 * does not have; and such a key can be replaced. Works on copies: a patch that fails half-way leaves nothing behind.
 */
public final class JsonPatch {
    private static final int MOST_OPERATIONS = 10_000;
    private static final long MOST_COPIED = 3 << 20;
    /** As a document may be nested. */
    private static final int MOST_DEPTH = 200;
    /** As in the body of a request, which is where other keys come from. */
    private static final int LONGEST_KEY = 50_000;

    private static final Set<String> VERBS = Set.of("add", "remove", "replace", "move", "copy", "test");

    private JsonPatch() {}

    /**
     * Applies a patch.
     *
     * @param operations the elements of the patch
     * @throws PatchException if it is malformed or does not fit
     */
    public static Document apply(Document target, List<?> operations) {
        if (operations.size() > MOST_OPERATIONS) {
            throw PatchException.malformed("The allowed maximum operations in a JSON patch is " + MOST_OPERATIONS
                    + ", got " + operations.size());
        }
        Object root = copy(target.asMap());
        long copied = 0;
        for (Map<?, ?> operation : formed(operations)) {
            if ("copy".equals(operation.get("op"))) {
                copied += weight(member(root, pointer(text(operation, "from"))));
                if (copied > MOST_COPIED) {
                    throw PatchException.unfit("the copies of a JSON patch come to more than " + MOST_COPIED);
                }
            }
            root = apply(root, operation);
        }
        if (!(root instanceof Map<?, ?> map)) {
            throw PatchException.unfit("the patch leaves no object");
        }
        return document(map);
    }

    /** What cannot be read is refused before anything is applied. */
    private static List<Map<?, ?>> formed(List<?> operations) {
        List<Map<?, ?>> formed = new ArrayList<>();
        for (Object each : operations) {
            if (!(each instanceof Map<?, ?> operation)) {
                throw PatchException.malformed("an operation of a JSON patch is an object");
            }
            formed.add(operation);
        }
        return formed;
    }

    private static Object apply(Object root, Map<?, ?> operation) {
        String verb = operation.get("op") instanceof String text ? text : "unknown";
        if (!VERBS.contains(verb)) {
            throw PatchException.unfit("Unexpected kind: " + verb);
        }
        List<String> path = pointer(text(operation, "path"));
        return switch (verb) {
            case "add" -> added(root, path, copy(value(operation)));
            case "remove" -> removed(root, path);
            case "replace" -> path.isEmpty() ? copy(value(operation)) : replaced(root, path, copy(value(operation)));
            case "move" -> {
                List<String> from = pointer(text(operation, "from"));
                if (path.size() > from.size() && path.subList(0, from.size()).equals(from)) {
                    throw PatchException.unfit("a value cannot be moved into itself: " + path);
                }
                Object moved = find(root, from);
                yield added(removed(root, from), path, moved);
            }
            case "copy" -> added(root, path, copy(member(root, pointer(text(operation, "from")))));
            default -> { // test
                if (!document(Map.of("v", member(root, path))).equals(document(Map.of("v", value(operation))))) {
                    throw PatchException.unfit("testing value /" + String.join("/", path) + " failed");
                }
                yield root;
            }
        };
    }

    private static Object value(Map<?, ?> operation) {
        Object value = operation.get("value");
        return value == null ? JsonNull.NULL : value;
    }

    private static String text(Map<?, ?> operation, String key) {
        if (operation.get(key) instanceof String text) {
            return text;
        }
        throw PatchException.unfit("an operation of a JSON patch has no " + key);
    }

    private static List<String> pointer(String text) {
        if (text.isEmpty()) {
            return List.of();
        }
        if (!text.startsWith("/")) {
            throw PatchException.unfit("a path begins with /: " + text);
        }
        List<String> keys = new ArrayList<>();
        if (text.chars().filter(each -> each == '/').count() > MOST_DEPTH) {
            throw PatchException.malformed("a path has at most " + MOST_DEPTH + " parts");
        }
        for (String key : text.substring(1).split("/", -1)) {
            if (key.length() > LONGEST_KEY) {
                throw PatchException.malformed("a key has at most " + LONGEST_KEY + " characters");
            }
            keys.add(key.replace("~1", "/").replace("~0", "~"));
        }
        return keys;
    }

    private static Object find(Object root, List<String> path) {
        Object current = root;
        for (String key : path) {
            Object next = current instanceof Map<?, ?> map
                    ? map.get(key)
                    : current instanceof List<?> list ? list.get(index(key, list.size() - 1, path)) : null;
            if (next == null) {
                throw missing(path);
            }
            current = next;
        }
        return current;
    }

    /** What a test and a copy look at: what an object does not have is null there, as for the API server. */
    private static Object member(Object root, List<String> path) {
        boolean absent = !path.isEmpty()
                && find(root, path.subList(0, path.size() - 1)) instanceof Map<?, ?> parent
                && !parent.containsKey(path.get(path.size() - 1));
        return absent ? JsonNull.NULL : find(root, path);
    }

    private static Object added(Object root, List<String> path, Object value) {
        if (path.isEmpty()) {
            return value;
        }
        checkDepth(path, value);
        Object parent = find(root, path.subList(0, path.size() - 1));
        String key = path.get(path.size() - 1);
        if (parent instanceof List<?> list) {
            int at = key.equals("-") ? list.size() : index(key, list.size(), path);
            elements(list).add(at, value);
        } else {
            members(parent, path).put(key, value);
        }
        return root;
    }

    private static Object replaced(Object root, List<String> path, Object value) {
        checkDepth(path, value);
        Object parent = find(root, path.subList(0, path.size() - 1));
        String key = path.get(path.size() - 1);
        if (parent instanceof List<?> list) {
            elements(list).set(index(key, list.size() - 1, path), value);
        } else {
            members(parent, path).put(key, value);
        }
        return root;
    }

    private static Object removed(Object root, List<String> path) {
        if (path.isEmpty()) {
            throw PatchException.unfit("the whole object cannot be removed");
        }
        find(root, path);
        Object parent = find(root, path.subList(0, path.size() - 1));
        String key = path.get(path.size() - 1);
        if (parent instanceof List<?> list) {
            elements(list).remove(index(key, list.size() - 1, path));
        } else {
            members(parent, path).remove(key);
        }
        return root;
    }

    /** Negative ones count from the end, as for the API server: -1 is the last place there is. */
    private static int index(String key, int most, List<String> path) {
        boolean number = key.matches("0|-?[1-9][0-9]{0,8}");
        int given = number ? Integer.parseInt(key) : -1;
        int index = number && given < 0 ? given + most + 1 : given;
        if (index < 0 || index > most) {
            throw missing(path);
        }
        return index;
    }

    private static PatchException missing(List<String> path) {
        return PatchException.unfit("the path /" + String.join("/", path) + " does not exist");
    }

    @SuppressWarnings("unchecked") // copies are made here, of objects only
    private static List<Object> elements(List<?> list) {
        return (List<Object>) list;
    }

    @SuppressWarnings("unchecked") // copies are made here, with texts as keys
    private static Map<String, Object> members(Object parent, List<String> path) {
        if (parent instanceof Map<?, ?> map) {
            return (Map<String, Object>) map;
        }
        throw missing(path);
    }

    private static Object copy(Object value) {
        if (value instanceof Map<?, ?> map) {
            Map<String, Object> copy = new LinkedHashMap<>();
            map.forEach((key, each) -> copy.put((String) key, copy(each)));
            return copy;
        }
        if (value instanceof List<?> list) {
            List<Object> copy = new ArrayList<>();
            list.forEach(each -> copy.add(copy(each)));
            return copy;
        }
        return value == JsonNull.NULL ? JsonNull.NULL : value;
    }

    /** A copy into itself doubles the depth of what there is: before it is too deep to be looked at, it is refused. */
    private static void checkDepth(List<String> path, Object value) {
        if (path.size() + depth(value) > MOST_DEPTH) {
            throw PatchException.unfit("the patch nests deeper than " + MOST_DEPTH + " levels");
        }
    }

    private static int depth(Object value) {
        Collection<?> parts =
                value instanceof Map<?, ?> map ? map.values() : value instanceof List<?> list ? list : List.of();
        int most = 0;
        for (Object part : parts) {
            most = Math.max(most, depth(part) + 1);
        }
        return most;
    }

    /** About how many bytes it is as JSON, at least one for each value. */
    private static long weight(Object value) {
        long weight = 1;
        if (value instanceof Map<?, ?> map) {
            for (Map.Entry<?, ?> each : map.entrySet()) {
                weight += weight(each.getKey()) + weight(each.getValue());
            }
        } else if (value instanceof List<?> list) {
            for (Object each : list) {
                weight += weight(each);
            }
        } else if (value instanceof String text) {
            weight += text.length();
        }
        return weight;
    }

    private static Document document(Map<?, ?> map) {
        Map<String, Object> fields = new LinkedHashMap<>();
        map.forEach((key, value) -> fields.put((String) key, value));
        try {
            return Document.of(fields);
        } catch (IllegalArgumentException e) {
            throw PatchException.unfit(String.valueOf(e.getMessage()));
        }
    }
}
