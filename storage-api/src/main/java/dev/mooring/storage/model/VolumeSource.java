// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import dev.mooring.storage.document.Document;
import org.apiguardian.api.API;

/**
 * Where the storage of a volume is: a type, which is the key in the document, and what stands under it. Open: a third party's type needs
 * no change here. Typed views exist for the types that Mooring serves itself.
 *
 * @param type the type, such as {@code nfs}
 * @param attributes what stands under it
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record VolumeSource(String type, Document attributes) {
    String text(String key) {
        return attributes.text(key).orElse("");
    }

    boolean flag(String key) {
        return attributes.at(key).filter(Boolean.TRUE::equals).isPresent();
    }
}
