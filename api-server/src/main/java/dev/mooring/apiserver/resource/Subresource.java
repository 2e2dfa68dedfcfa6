// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.resource;

import dev.mooring.storage.model.Kind;
import java.util.List;

/**
 * Something about an object that has an address of its own.
 *
 * @param name the last part of the address
 * @param group of what is sent there
 * @param version of what is sent there
 * @param kind of what is sent there
 * @param verbs what can be done with it
 */
public record Subresource(String name, String group, String version, String kind, List<String> verbs) {
    /** One whose bodies are of the kind of the object itself. */
    static Subresource of(String name, Kind<?> kind, List<String> verbs) {
        return new Subresource(name, kind.group(), kind.version(), kind.name(), verbs);
    }
}
