// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.iscsi;

import dev.mooring.storage.spi.SecretValue;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The text of a record of open-iscsi: {@code name = value} lines between two marks. Pure; never prints its content. */
final class IscsiRecordText {
    private static final String BEGIN = "# BEGIN RECORD";
    private static final String END = "# END RECORD";
    private static final String SEPARATOR = " = ";

    private final List<String> lines;

    private IscsiRecordText(List<String> lines) {
        this.lines = List.copyOf(lines);
    }

    /** Reads a record; empty if it is torn or has a layout that is not known. */
    static Optional<IscsiRecordText> read(byte[] content) {
        List<String> lines = new String(content, StandardCharsets.UTF_8).lines().toList();
        boolean whole = lines.size() > 2
                && lines.get(0).startsWith(BEGIN)
                && lines.get(lines.size() - 1).equals(END)
                && lines.subList(1, lines.size() - 1).stream()
                        .allMatch(line -> line.contains(SEPARATOR) || line.endsWith(" ="));
        return whole ? Optional.of(new IscsiRecordText(lines)) : Optional.empty();
    }

    Optional<String> value(String name) {
        return lines.stream()
                .filter(line -> line.startsWith(name + SEPARATOR))
                .map(line -> line.substring(name.length() + SEPARATOR.length()))
                .findFirst();
    }

    /** Whether it has these names and secrets and no others below a prefix. */
    boolean has(String prefix, Map<String, SecretValue> secrets) {
        return Chap.FIELDS.stream()
                .map(field -> prefix + field)
                .allMatch(name -> value(name)
                        .filter(text -> !text.isBlank() && !text.equals("<empty>"))
                        .equals(Optional.ofNullable(secrets.get(name))
                                .map(secret -> new String(secret.reveal(), StandardCharsets.UTF_8))));
    }

    /**
     * The record with these names and secrets and no others below a prefix.
     *
     * @param prefix such as {@code node.session.auth.}
     * @param secrets by whole names; none to remove them all
     */
    byte[] with(String prefix, Map<String, SecretValue> secrets) {
        List<String> kept = new ArrayList<>(lines.stream()
                .filter(line -> !line.startsWith(prefix + "username") && !line.startsWith(prefix + "password"))
                .toList());
        String end = kept.remove(kept.size() - 1);
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        kept.forEach(line -> content.writeBytes((line + "\n").getBytes(StandardCharsets.UTF_8)));
        secrets.forEach((name, value) -> {
            content.writeBytes((name + SEPARATOR).getBytes(StandardCharsets.UTF_8));
            content.writeBytes(value.reveal());
            content.write('\n');
        });
        content.writeBytes((end + "\n").getBytes(StandardCharsets.UTF_8));
        return content.toByteArray();
    }
}
