// SPDX-License-Identifier: Apache-2.0
package com.example.shelf;

import dev.mooring.storage.model.CsiSource;
import dev.mooring.storage.model.VolumeSource;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Which volume: the node that has it, and its name, which can be the name of a file and never leads anywhere else. */
record Handle(String node, String name) {
    private static final String DNS = "[a-z0-9](?:[-a-z0-9.]{0,251}[a-z0-9])?";
    private static final Pattern TEXT = Pattern.compile("(" + DNS + ")/(" + DNS + ")");

    /** The handle in a source; empty if it is none of this plugin. */
    static Optional<Handle> of(VolumeSource source) {
        return CsiSource.of(source)
                .filter(csi -> csi.driver().equals(ShelfPlugin.NAME.value()))
                .flatMap(csi -> parse(csi.volumeHandle()));
    }

    static Optional<Handle> parse(String text) {
        Matcher matcher = TEXT.matcher(text);
        return matcher.matches() ? Optional.of(new Handle(matcher.group(1), matcher.group(2))) : Optional.empty();
    }

    @Override
    public String toString() {
        return node + "/" + name;
    }
}
