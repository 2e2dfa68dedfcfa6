// SPDX-License-Identifier: Apache-2.0
/**
 * Text to {@link dev.mooring.storage.document.Document} and back.
 *
 * <p>Both readers refuse what would be lost or guessed: duplicate keys (unless the caller wants to hear of them), nesting deeper than the
 * limit, input beyond the size limit. Errors are {@link dev.mooring.storage.codec.CodecException}s that name source, line, column and the
 * rule. Output is the same in every JVM.
 */
@NullMarked
package dev.mooring.storage.codec;

import org.jspecify.annotations.NullMarked;
