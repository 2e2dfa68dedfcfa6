// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import dev.mooring.storage.builder.WithBuilder;
import dev.mooring.storage.document.Document;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * A variable in the environment of a container.
 *
 * @param name its name
 * @param value its value, in which {@code $(NAME)} stands for a variable that was defined before
 * @param valueFrom where its value comes from if it has none of its own: one of {@code fieldRef}, {@code resourceFieldRef}, {@code
 *     configMapKeyRef}, {@code secretKeyRef} and others
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@WithBuilder
public record EnvVar(String name, String value, Optional<Document> valueFrom) implements EnvVarBuilder.With {}
