// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.standalone;

import dev.mooring.storage.document.Document;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;

/** Creates, changes and deletes configmaps of its own until the server is gone, and knows what it was told. One thread at a time. */
final class KillWriter {
    static final String PATH = "/api/v1/namespaces/default/configmaps";
    private static final int NAMES = 8;

    private final String prefix;
    private final Revisions revisions;
    private final Random random;
    /** What is there as far as it was told: values by name. */
    private final Map<String, String> objects = new TreeMap<>();
    /** The write that was under way: name and value, or no value for a deletion. */
    private Optional<Map.Entry<String, Optional<String>>> underWay = Optional.empty();

    private int next;

    KillWriter(String prefix, Revisions revisions, long seed) {
        this.prefix = prefix;
        this.revisions = revisions;
        this.random = new Random(seed);
    }

    Map<String, String> objects() {
        return objects;
    }

    void write(ProgramClient client) {
        try {
            while (true) {
                writeOne(client);
            }
        } catch (IOException e) {
            // The server is gone.
        } catch (RuntimeException e) {
            revisions.problem(prefix + ": " + e);
        }
    }

    private void writeOne(ProgramClient client) throws IOException {
        String name = prefix + "-" + random.nextInt(NAMES);
        String value = String.valueOf(next++);
        boolean there = objects.containsKey(name);
        boolean delete = there && random.nextInt(4) == 0;
        String body = "{\"metadata\":{\"name\":\"" + name + "\"},\"data\":{\"k\":\"" + value + "\",\"x\":\""
                + "x".repeat(random.nextInt(2_000)) + "\"}}";
        underWay = Optional.of(Map.entry(name, delete ? Optional.empty() : Optional.of(value)));
        ProgramClient.Reply reply = delete
                ? client.json("DELETE", PATH + "/" + name, "")
                : there
                        ? random.nextBoolean()
                                ? client.json("PUT", PATH + "/" + name, body)
                                : client.send("PATCH", PATH + "/" + name, "application/merge-patch+json", body)
                        : client.json("POST", PATH, body);
        if (reply.status() / 100 != 2) {
            revisions.problem(underWay + " was answered with " + reply.body());
        } else if (delete) {
            objects.remove(name);
        } else {
            objects.put(name, value);
            revisions.acknowledged(Long.parseLong(reply.text("metadata", "resourceVersion")), name + "=" + value);
        }
        underWay = Optional.empty();
    }

    /** Compares with what there is after a kill. */
    void settle(Map<String, Document> all) {
        Map<String, String> found = new TreeMap<>();
        all.forEach((name, object) -> {
            if (name.startsWith(prefix + "-")) {
                String value = object.text("data", "k").orElse("");
                found.put(name, value);
                revisions.told(
                        Long.parseLong(
                                object.text("metadata", "resourceVersion").orElse("0")),
                        name + "=" + value);
            }
        });
        if (!found.equals(objects)) {
            Map<String, String> other = new TreeMap<>(objects);
            underWay.ifPresent(write -> write.getValue()
                    .ifPresentOrElse(value -> other.put(write.getKey(), value), () -> other.remove(write.getKey())));
            if (!found.equals(other)) {
                revisions.problem("told " + objects + ", under way " + underWay + ", found " + found);
            }
            objects.clear();
            objects.putAll(found);
        }
        underWay = Optional.empty();
    }
}
