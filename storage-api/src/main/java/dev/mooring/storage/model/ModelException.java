// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import org.apiguardian.api.API;

/** A document is not what its kind demands; the message names field and rule. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class ModelException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    /** See {@link #field()}. */
    private final String field;

    /**
     * Makes the exception.
     *
     * @param field the path of the field, such as {@code spec.capacity.storage}
     * @param rule what is wrong with it
     */
    public ModelException(String field, String rule) {
        super(field.isEmpty() ? rule : field + ": " + rule);
        this.field = field;
    }

    /** The path of the field. */
    public String field() {
        return field;
    }
}
