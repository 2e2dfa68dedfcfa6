// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.validation;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Quantity;
import java.util.Optional;

/** Rules about quantities. */
final class QuantityRules {
    private QuantityRules() {}

    /** The quantity at a path; empty if there is none or it is malformed. */
    static Optional<Quantity> at(Document document, String... path) {
        return document.at(path).map(Object::toString).flatMap(Quantity::tryParse);
    }

    /** Every quantity of an object must be well-formed and more than nothing. */
    static void positive(String path, Document amounts, Problems problems) {
        each(path, amounts, problems, 1, "must be greater than zero");
    }

    /** Every quantity of an object must be well-formed and not less than nothing. */
    static void notNegative(String path, Document amounts, Problems problems) {
        each(path, amounts, problems, 0, "must be greater than or equal to 0");
    }

    private static void each(String path, Document amounts, Problems problems, int least, String rule) {
        amounts.asMap().forEach((key, value) -> {
            String at = path + "[" + key + "]";
            Quantity.tryParse(value.toString())
                    .ifPresentOrElse(
                            quantity -> {
                                if (quantity.signum() < least) {
                                    problems.invalid(at, value.toString(), rule);
                                }
                            },
                            () -> problems.invalid(at, value.toString(), "is no quantity"));
        });
    }
}
