// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.schema;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Properties;

/** One sentence for each kind and field, by name. */
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

    /** What a name means; empty if nobody said. */
    static String of(String name) {
        return TEXTS.getProperty(name, "");
    }
}
