// SPDX-License-Identifier: Apache-2.0
/**
 * What storage plugins do alike: records of what they made ({@link dev.mooring.plugin.support.EntryFiles}), mounts that they show to pods
 * ({@link dev.mooring.plugin.support.PublishedMount}), settings, parameters and annotations, addresses, locks that respect a call's deadline.
 *
 * <p>Everything works through the SPI of {@link dev.mooring.storage.spi} alone, so it works on every host that the plugin works on. No
 * argument may be null and no result is null. What goes wrong in the world is an {@link dev.mooring.storage.spi.Outcome}, never an exception.
 * Unless a type says otherwise, it holds no state and may be used by several threads at once.
 */
@NullMarked
package dev.mooring.plugin.support;

import org.jspecify.annotations.NullMarked;
