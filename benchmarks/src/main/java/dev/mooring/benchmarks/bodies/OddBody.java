// SPDX-License-Identifier: Apache-2.0
package dev.mooring.benchmarks.bodies;

import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A body that takes more steps to read than its size says.
 *
 * @param name for people
 * @param path where it is sent
 * @param type its content type
 * @param body the body
 */
record OddBody(String name, String path, String type, String body) {
    private static final String JSON = "application/json";
    private static final String YAML = "application/yaml";
    private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
    private static final String PODS = "/api/v1/namespaces/default/pods";
    private static final String VOLUMES = "/api/v1/persistentvolumes";
    private static final int SIZE = 900_000;

    /** A ConfigMap of one key. */
    static OddBody plain(int size) {
        return map("one key of " + size + " bytes", "\"k\":\"" + "v".repeat(size) + "\"");
    }

    /** The same of another content type. */
    static OddBody plain(int size, String type) {
        return type.equals(YAML)
                ? new OddBody(
                        "one key of " + size + " bytes in YAML",
                        CONFIG_MAPS,
                        YAML,
                        "apiVersion: v1\nkind: ConfigMap\nmetadata: {generateName: x}\ndata:\n  k: " + "v".repeat(size)
                                + "\n")
                : plain(size);
    }

    /** A text among many of the same hash code. */
    private static String alike(int i) {
        StringBuilder text = new StringBuilder();
        for (int bit = 16; bit >= 0; bit--) {
            text.append((i >> bit & 1) == 0 ? "Aa" : "BB");
        }
        return text.toString();
    }

    static List<OddBody> all() {
        String deep = "{\"a\":".repeat(SIZE / 6) + "1" + "}".repeat(SIZE / 6);
        return List.of(
                map("150,000 keys", each(150_000, i -> "\"k" + i + "\":\"\"")),
                map("20,000 keys of one hash code", each(20_000, i -> "\"" + alike(i) + "\":\"\"")),
                named(
                        "20,000 labels of one hash code",
                        "\"labels\":{" + each(20_000, i -> "\"" + alike(i) + "\":\"\"") + "}"),
                map("100,000 keys that are one", each(100_000, i -> "\"key\":\"v\"")),
                map("150,000 levels", "\"k\":" + deep),
                map("a number of 900,000 digits", "\"k\":" + "7".repeat(SIZE)),
                map("90,000 numbers of wrong type", each(90_000, i -> "\"k" + i + "\":7")),
                map("150,000 escaped letters", "\"k\":\"" + "\\u0041".repeat(150_000) + "\""),
                named("60,000 labels", "\"labels\":{" + each(60_000, i -> "\"l" + i + "\":\"v\"") + "}"),
                named(
                        "60,000 labels that are refused",
                        "\"labels\":{" + each(60_000, i -> "\"-l" + i + "\":\"-v\"") + "}"),
                named("60,000 annotations", "\"annotations\":{" + each(60_000, i -> "\"a" + i + "\":\"v\"") + "}"),
                named("50,000 finalizers", "\"finalizers\":[" + each(50_000, i -> "\"e.com/f" + i + "\"") + "]"),
                named(
                        "9,000 owners",
                        "\"ownerReferences\":["
                                + each(
                                        9_000,
                                        i -> "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"name\":\"p" + i
                                                + "\",\"uid\":\"" + i + "\"}")
                                + "]"),
                of(
                        "80,000 unknown fields",
                        CONFIG_MAPS,
                        metadata("\"x\":1") + "," + each(80_000, i -> "\"f" + i + "\":1")),
                of(
                        "20,000 containers",
                        PODS,
                        metadata("\"x\":1") + ",\"spec\":{\"containers\":["
                                + each(20_000, i -> "{\"name\":\"c" + i + "\",\"image\":\"i\"}") + "]}"),
                of(
                        "20,000 containers of one name",
                        PODS,
                        metadata("\"x\":1") + ",\"spec\":{\"containers\":["
                                + each(20_000, i -> "{\"name\":\"c\",\"image\":\"i\"}") + "]}"),
                of(
                        "20,000 volumes",
                        PODS,
                        metadata("\"x\":1")
                                + ",\"spec\":{\"containers\":[{\"name\":\"c\",\"image\":\"i\"}],\"volumes\":["
                                + each(20_000, i -> "{\"name\":\"v" + i + "\",\"emptyDir\":{}}") + "]}"),
                of(
                        "12,000 mounts of volumes that are not there",
                        PODS,
                        metadata("\"x\":1")
                                + ",\"spec\":{\"containers\":[{\"name\":\"c\",\"image\":\"i\",\"volumeMounts\":["
                                + each(12_000, i -> "{\"name\":\"v" + i + "\",\"mountPath\":\"/m" + i + "\"}")
                                + "]}]}"),
                of(
                        "9,000 volumes, each mounted",
                        PODS,
                        metadata("\"x\":1")
                                + ",\"spec\":{\"containers\":[{\"name\":\"c\",\"image\":\"i\",\"volumeMounts\":["
                                + each(9_000, i -> "{\"name\":\"v" + i + "\",\"mountPath\":\"/m" + i + "\"}")
                                + "]}],\"volumes\":["
                                + each(9_000, i -> "{\"name\":\"v" + i + "\",\"emptyDir\":{}}") + "]}"),
                of(
                        "100,000 access modes",
                        VOLUMES,
                        metadata("\"x\":1") + ",\"spec\":{\"accessModes\":["
                                + each(100_000, i -> i % 2 == 0 ? "\"x\"" : "\"ReadWriteOnce\"") + "]}"),
                of(
                        "9,000 terms of node affinity",
                        VOLUMES,
                        metadata("\"x\":1")
                                + ",\"spec\":{\"capacity\":{\"storage\":\"1Gi\"},\"accessModes\":[\"ReadWriteOnce\"],"
                                + "\"hostPath\":{\"path\":\"/x\"},\"nodeAffinity\":{\"required\":{\"nodeSelectorTerms\":["
                                + each(
                                        9_000,
                                        i -> "{\"matchExpressions\":[{\"key\":\"k" + i
                                                + "\",\"operator\":\"In\",\"values\":[\"v\"]}]}")
                                + "]}}}"),
                new OddBody("225,000 beginnings of documents", CONFIG_MAPS, YAML, "---\n".repeat(SIZE / 4)),
                new OddBody("450,000 lists in YAML", CONFIG_MAPS, YAML, "[".repeat(SIZE / 2) + "]".repeat(SIZE / 2)),
                new OddBody("450,000 entries within entries in YAML", CONFIG_MAPS, YAML, "- ".repeat(SIZE / 2)),
                new OddBody("900,000 blanks in YAML", CONFIG_MAPS, YAML, "k:" + " ".repeat(SIZE) + "v"),
                new OddBody(
                        "80,000 keys in YAML",
                        CONFIG_MAPS,
                        YAML,
                        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\ndata:\n"
                                + each(80_000, i -> "  k" + i + ": v").replace(",", "\n")),
                new OddBody("comments in YAML", CONFIG_MAPS, YAML, "# \n".repeat(SIZE / 3)),
                new OddBody(
                        "anchors in YAML",
                        CONFIG_MAPS,
                        YAML,
                        each(60_000, i -> "k" + i + ": &a" + i + " v").replace(",", "\n")));
    }

    private static OddBody map(String name, String data) {
        return of(name, CONFIG_MAPS, metadata("\"generateName\":\"x\"") + ",\"data\":{" + data + "}");
    }

    /** A ConfigMap with more metadata than its name. */
    private static OddBody named(String name, String more) {
        return of(name, CONFIG_MAPS, metadata(more));
    }

    private static OddBody of(String name, String path, String fields) {
        return new OddBody(name, path, JSON, "{" + fields + "}");
    }

    private static String metadata(String more) {
        return "\"metadata\":{\"name\":\"x\"," + more + "}";
    }

    private static String each(int count, IntFunction<String> part) {
        return IntStream.range(0, count).mapToObj(part).collect(Collectors.joining(","));
    }
}
