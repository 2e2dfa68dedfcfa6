// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.spi;

import org.apiguardian.api.API;

/**
 * A fault in a field of user input.
 *
 * @param field the path of the field, such as {@code spec.nfs.path}
 * @param rule what is wrong, as a sentence without the field's name, such as {@code must be an absolute path}
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record FieldProblem(String field, String rule) {
    @Override
    public String toString() {
        return field + ": " + rule;
    }
}
