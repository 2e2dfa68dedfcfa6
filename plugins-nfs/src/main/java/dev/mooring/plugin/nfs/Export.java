// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.nfs;

import dev.mooring.plugin.support.AddressText;
import java.util.Optional;

/**
 * An export under its normalised name (semantics/plugins §2.1): what is mounted, what identifies the volume, and what the mount table
 * says are one text. Pure.
 *
 * @param server lower-case name without a dot at the end, or an address; an IPv6 address without brackets
 * @param path absolute, without doubled slashes, single dots and a slash at the end
 */
record Export(String server, String path) {
    /** As it is given to the mount tool and shown in the mount table. */
    String source() {
        return AddressText.bracketed(server) + ":" + path;
    }

    /** A directory of this export. */
    Export child(String relative) {
        return new Export(server, path.equals("/") ? "/" + relative : path + "/" + relative);
    }

    /** The way from here to another export of this server; empty if it does not lie strictly below. */
    Optional<String> relativize(Export other) {
        boolean below = server.equals(other.server) && !path.equals(other.path) && isWithin(other.path, path);
        return below ? Optional.of(other.path.substring(path.equals("/") ? 1 : path.length() + 1)) : Optional.empty();
    }

    /** Whether one of the two lies in the other or is the other; two names of one server are not recognised here. */
    boolean overlaps(Export other) {
        return server.equals(other.server) && (isWithin(path, other.path) || isWithin(other.path, path));
    }

    private static boolean isWithin(String inner, String outer) {
        return inner.equals(outer) || inner.startsWith(outer.equals("/") ? "/" : outer + "/");
    }

    @Override
    public String toString() {
        return source();
    }
}
