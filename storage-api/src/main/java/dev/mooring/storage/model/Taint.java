// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import dev.mooring.storage.builder.WithBuilder;
import java.time.Instant;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * What keeps pods off a node.
 *
 * @param key what
 * @param value its value
 * @param effect what it does to pods
 * @param timeAdded since when
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@WithBuilder
public record Taint(String key, String value, String effect, Optional<Instant> timeAdded)
        implements TaintBuilder.With {}
