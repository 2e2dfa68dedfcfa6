// SPDX-License-Identifier: Apache-2.0
package dev.mooring.benchmarks.scale;

import dev.mooring.storage.codec.KubernetesJson;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * The JSON of objects as API servers send them, {@code managedFields} and all, in a cluster of some size: each claim is bound to a volume
 * and used by a pod, half of the claims, but 5,000 at most, are in a namespace, and half as many pods again use one of the claims too. Immutable.
 */
public final class RecordedObjects {
    private static final int MOST_CLAIMS_OF_A_NAMESPACE = 5_000;
    private static final int PODS_PER_SET = 10;
    private static final int ZONES = 3;

    private final Map<Kind<?>, String> templates = Map.of(
            Kinds.POD, template("pod"),
            Kinds.PERSISTENT_VOLUME, template("volume"),
            Kinds.PERSISTENT_VOLUME_CLAIM, template("claim"),
            Kinds.NODE, template("node"));
    private final int claims;

    /**
     * Makes the objects of a cluster.
     *
     * @param claims how many claims, at least 10
     */
    public RecordedObjects(int claims) {
        this.claims = claims;
    }

    private static String template(String name) {
        try (InputStream in = Objects.requireNonNull(RecordedObjects.class.getResourceAsStream(name + ".json"), name)) {
            KubernetesJson json = KubernetesJson.standard();
            return json.write(json.read(in, name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** How many objects of a kind there are; 0 for most kinds. */
    public int count(Kind<?> kind) {
        if (!templates.containsKey(kind)) {
            return 0;
        }
        return kind == Kinds.POD ? claims + claims / 2 : kind == Kinds.NODE ? claims / 10 : claims;
    }

    private int claimsOfANamespace() {
        return Math.min(MOST_CLAIMS_OF_A_NAMESPACE, claims / 2);
    }

    /** How many namespaces there are. */
    public int namespaces() {
        return (claims + claimsOfANamespace() - 1) / claimsOfANamespace();
    }

    /** A namespace by its number, from 0. */
    public static String namespace(int number) {
        return "team-" + number;
    }

    /**
     * One object.
     *
     * @param number from 0 to less than the count
     * @param revision its resource version
     */
    public String json(Kind<?> kind, int number, long revision) {
        int claim = number % claims;
        String template = Objects.requireNonNull(templates.get(kind), kind.name());
        StringBuilder text = new StringBuilder(template.length() + 256);
        int from = 0;
        for (int at = template.indexOf('@'); at >= 0; at = template.indexOf('@', from)) {
            int end = template.indexOf('@', at + 1);
            String value = value(template.substring(at + 1, Math.max(at + 1, end)), number, claim, revision);
            text.append(template, from, at).append(value.isEmpty() ? "@" : value);
            from = value.isEmpty() ? at + 1 : end + 1;
        }
        return text.append(template, from, template.length()).toString();
    }

    /** What stands for a name between two {@code @}; empty if it is no such name. */
    private String value(String name, int number, int claim, long revision) {
        return switch (name) {
            case "n" -> Integer.toString(number);
            case "claim" -> Integer.toString(claim);
            case "team" -> Integer.toString(claim / claimsOfANamespace());
            case "uid" -> String.format(Locale.ROOT, "%012x", number);
            case "set" -> String.format(Locale.ROOT, "%08x", number / PODS_PER_SET);
            case "node" -> Integer.toString(number % count(Kinds.NODE));
            case "zone" -> Integer.toString(number % ZONES);
            case "clock" ->
                String.format(Locale.ROOT, "%02d:%02d:%02d", number / 3600 % 24, number / 60 % 60, number % 60);
            case "revision" -> Long.toString(revision);
            default -> "";
        };
    }

    /** The same in UTF-8. */
    public byte[] bytes(Kind<?> kind, int number, long revision) {
        return json(kind, number, revision).getBytes(StandardCharsets.UTF_8);
    }
}
