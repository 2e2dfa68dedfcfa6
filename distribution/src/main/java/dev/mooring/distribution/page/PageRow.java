// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.page;

import dev.mooring.storage.model.ObjectKey;
import java.time.Instant;
import java.util.Optional;

/**
 * What is kept of a line of a list; the rest is made of the subject when the line is shown.
 *
 * @param kind the list
 * @param id unique in its list, the same as long as the object is
 * @param key the object's name
 * @param subject what it is about: an object, a record of the node, or the name of a group
 * @param state in a word or two
 * @param attention whether it needs attention
 * @param since since when it is in that state; empty if that is not known
 * @param created when it was made; empty if that is not known
 */
record PageRow(
        PageKind kind,
        String id,
        ObjectKey key,
        Object subject,
        String state,
        boolean attention,
        Optional<Instant> since,
        Optional<Instant> created) {}
