// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.schema;

import dev.mooring.clusterstore.schema.FieldType.Structure;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;

/** What is said of types and fields: in Kubernetes' words where its document has them, else one sentence for each name. */
final class Descriptions {
    private static final Properties TEXTS = read("descriptions.properties");

    private Descriptions() {}

    static Properties read(String file) {
        Properties texts = new Properties();
        try (InputStream in = Descriptions.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException(file + " is missing");
            }
            texts.load(new InputStreamReader(in, StandardCharsets.UTF_8));
            return texts;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Read when the first document is made: many servers never make one. */
    private static final class Kubernetes {
        static final Map<String, String> TEXTS = lines("kubernetes-1.20.descriptions");
    }

    private static Map<String, String> lines(String file) {
        try (InputStream in = Descriptions.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException(file + " is missing");
            }
            Map<String, String> texts = new HashMap<>();
            new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .forEach(line -> {
                        int space = line.indexOf(' ');
                        texts.put(line.substring(0, space), line.substring(space + 1));
                    });
            return texts;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What a type means; empty if nothing is said. */
    static String of(Structure type) {
        return Optional.ofNullable(Kubernetes.TEXTS.get(type.name())).orElseGet(() -> of(type.simpleName()));
    }

    /** What a field of a type means; empty if nothing is said. */
    static String of(Structure type, String field) {
        return Optional.ofNullable(Kubernetes.TEXTS.get(type.name() + "." + field))
                .orElseGet(() -> of(field));
    }

    /** What a name means; empty if nothing is said. */
    static String of(String name) {
        return TEXTS.getProperty(name, "");
    }
}
